// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace takt {

enum class CallbackGroupType : std::uint8_t {
  mutually_exclusive,  ///< at most one callback of the group is started at a time
  reentrant,  ///< its callbacks may preempt each other; each by itself runs one job at a time
  // rclcpp's spelling, so that a node moves over by its namespace.
  MutuallyExclusive = mutually_exclusive,
  Reentrant = reentrant,
};

/// Callbacks that exclude each other, or do not. Made by Node::create_callback_group and given to
/// what is created after it, also in other nodes of the executor; exclusion is kept by the
/// scheduler, with no lock. Immutable: any thread. Callbacks keep their group alive.
class CallbackGroup {
 public:
  using SharedPtr = std::shared_ptr<CallbackGroup>;

  explicit CallbackGroup(CallbackGroupType type) noexcept : type_(type) {}
  CallbackGroupType type() const noexcept { return type_; }

 private:
  CallbackGroupType type_;
};

}  // namespace takt
