// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace takt {

enum class CallbackGroupType : std::uint8_t {
  mutually_exclusive,  ///< at most one callback of the group is started at a time
  reentrant,  ///< its callbacks may preempt each other; each by itself runs one job at a time
  // rclcpp's spelling, so that a node moves over by its namespace.
  MutuallyExclusive = mutually_exclusive,
  Reentrant = reentrant,
};

struct CallbackGroupOptions {
  /// Which of their executor's processors its callbacks run on, whatever their node says; as
  /// NodeOptions::processor. One that is given another itself is refused. Default: the node's.
  std::optional<std::size_t> processor = std::nullopt;
};

/// Callbacks that exclude each other, or do not. Made by Node::create_callback_group and given to
/// what is created after it, also in other nodes of the executor; exclusion is kept by the
/// scheduler, with no lock. Immutable: any thread. Callbacks keep their group alive.
class CallbackGroup {
 public:
  using SharedPtr = std::shared_ptr<CallbackGroup>;

  explicit CallbackGroup(CallbackGroupType type, const CallbackGroupOptions & options = {}) noexcept
      : type_(type), processor_(options.processor) {}
  CallbackGroupType type() const noexcept { return type_; }
  /// See CallbackGroupOptions.
  std::optional<std::size_t> processor() const noexcept { return processor_; }

 private:
  CallbackGroupType type_;
  std::optional<std::size_t> processor_;
};

}  // namespace takt
