// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "entities.hpp"
#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// The nodes and groups that an executor was given, in the order in which they came: rclcpp keeps
/// them by address. Holds none of them. Thread-safe.
class NodeList {
 public:
  using Group = ::rclcpp::CallbackGroup;

  void add(const NodeView::Base::SharedPtr & node);
  void add(const Group::SharedPtr & group, const NodeView::Base::SharedPtr & node);

  /// The groups that are `collected` with their nodes, in the order in which the nodes came and made
  /// them; then those that came by themselves.
  Entities::Groups in_order(const std::vector<Group::WeakPtr> & collected) const;

 private:
  mutable os::Mutex mutex_{os::LockRank::node_list};
  std::vector<NodeView::Base::WeakPtr> nodes_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::pair<Group::WeakPtr, NodeView::Base::WeakPtr>> groups_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
