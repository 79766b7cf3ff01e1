// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "entities.hpp"
#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// The nodes and groups of an executor in the order in which they were added; rclcpp orders them by
/// address. Does not keep them alive. Thread-safe.
class NodeList {
 public:
  using Group = ::rclcpp::CallbackGroup;

  void add(const NodeView::Base::SharedPtr & node);
  void add(const Group::SharedPtr & group, const NodeView::Base::SharedPtr & node);

  /// Returns the `collected` groups with their nodes. First come those of nodes, in the order in which the
  /// nodes were added and created the groups; then the groups that were added by themselves.
  Entities::Groups in_order(const std::vector<Group::WeakPtr> & collected) const;

 private:
  mutable os::Mutex mutex_{os::LockRank::node_list};
  std::vector<NodeView::Base::WeakPtr> nodes_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::pair<Group::WeakPtr, NodeView::Base::WeakPtr>> groups_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
