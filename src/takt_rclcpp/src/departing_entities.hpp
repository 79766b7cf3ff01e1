// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/callback_group.hpp>

#include <memory>
#include <string>
#include <vector>

#include "entity.hpp"
#include "node_view.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::rclcpp {

/// Entities that have no task any more, and whose callbacks have not returned yet. Thread-safe; none
/// of its members may be called from a callback.
class DepartingEntities {
 public:
  using Group = ::rclcpp::CallbackGroup;

  struct Departing {
    std::shared_ptr<Entity> task;
    std::weak_ptr<const void> entity;
    std::shared_ptr<NodeView> node;
    Group::WeakPtr group;
    tasks::TaskRegistry::Departures jobs;
  };
  /// No effect if no job of it is started.
  void add(Departing departing);
  /// Forgets those whose callbacks have returned.
  void forget_returned();
  /// Whether one of them is of this entity, or of the same exclusive group.
  bool exclude(const std::weak_ptr<const void> & entity, const Group::SharedPtr & group) const;
  /// Blocks until the callbacks of this node have returned, or all if it is nullptr, but not beyond
  /// that instant. Returns the names of those that have not.
  std::vector<std::string> finish(const NodeView::Base::SharedPtr & node, os::Time instant);

 private:
  std::vector<Departing> all() const;

  mutable os::Mutex mutex_{os::LockRank::departing_entities};
  std::vector<Departing> all_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
