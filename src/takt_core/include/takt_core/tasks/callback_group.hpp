// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace takt {

enum class CallbackGroupType : std::uint8_t {
  mutually_exclusive,  ///< at most one job of the group's callbacks is started at a time
  reentrant,  ///< its callbacks may preempt each other; a callback never runs two jobs at a time
  // The spelling of rclcpp, so that a node can be ported by changing the namespace.
  MutuallyExclusive = mutually_exclusive,
  Reentrant = reentrant,
};

struct CallbackGroupOptions {
  /// The processor that the group's callbacks run on, whatever their node says; as
  /// NodeOptions::processor. A callback with another processor of its own is refused. Default: the
  /// node's.
  std::optional<std::size_t> processor = std::nullopt;
};

/// A set of callbacks that exclude each other, or may preempt each other. Created by
/// Node::create_callback_group() and passed to the callbacks that are created afterwards, also in
/// other nodes of the executor. The scheduler enforces the exclusion, without a lock. Immutable, so
/// any thread may use it. Callbacks keep their group alive.
class CallbackGroup {
 public:
  using SharedPtr = std::shared_ptr<CallbackGroup>;

  explicit CallbackGroup(CallbackGroupType type, const CallbackGroupOptions & options = {}) noexcept
      : type_(type), processor_(options.processor) {}
  CallbackGroupType type() const noexcept { return type_; }
  /// See CallbackGroupOptions; no value: the node's.
  std::optional<std::size_t> processor() const noexcept { return processor_; }

 private:
  CallbackGroupType type_;
  std::optional<std::size_t> processor_;
};

}  // namespace takt
