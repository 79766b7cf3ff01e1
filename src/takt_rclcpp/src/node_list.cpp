// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_list.hpp"

#include <set>

#include "takt_core/tasks/same_owner.hpp"

namespace takt::rclcpp {

void NodeList::add(const NodeView::Base::SharedPtr & node) {
  const os::Lock lock(mutex_);
  // A node that is added again moves to the end.
  std::erase_if(nodes_, [&node](const auto & weak) {
    return weak.expired() || tasks::same_owner(weak, node);
  });
  nodes_.push_back(node);
}

void NodeList::add(const Group::SharedPtr & group, const NodeView::Base::SharedPtr & node) {
  const os::Lock lock(mutex_);
  std::erase_if(groups_, [&group](const auto & known) {
    return known.first.expired() || tasks::same_owner(known.first, group);
  });
  groups_.emplace_back(group, node);
}

Entities::Groups NodeList::in_order(const std::vector<Group::WeakPtr> & collected) const {
  std::set<const Group *> left;
  std::vector<Group::SharedPtr> alive;
  for (const auto & weak : collected) {
    if (auto group = weak.lock()) {
      left.insert(group.get());
      alive.push_back(std::move(group));
    }
  }
  Entities::Groups all;
  const auto take = [&](const Group::SharedPtr & group, const NodeView::Base::SharedPtr & node) {
    if (left.erase(group.get()) > 0) all.emplace_back(group, node);
  };
  const os::Lock lock(mutex_);
  for (const auto & weak : nodes_) {
    const auto node = weak.lock();
    if (node == nullptr) continue;
    node->for_each_callback_group([&](const Group::SharedPtr & group) { take(group, node); });
  }
  for (const auto & [weak_group, weak_node] : groups_) {
    const auto group = weak_group.lock();
    const auto node = weak_node.lock();
    if (group != nullptr && node != nullptr) take(group, node);
  }
  return all;
}

}  // namespace takt::rclcpp
