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

/// The entities that have no task any more but whose callbacks have not returned yet. Thread-safe; no
/// member function may be called in a callback.
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
  /// Adds an entity, unless none of its jobs is started.
  void add(Departing departing);
  /// Removes the entities whose callbacks have returned.
  void forget_returned();
  /// Returns whether one of the callbacks belongs to this entity or to the same mutually exclusive group.
  bool exclude(const std::weak_ptr<const void> & entity, const Group::SharedPtr & group) const;
  /// Blocks until the callbacks of this node (of all nodes if it is nullptr) have returned, but not beyond
  /// `instant`. Returns the names of the callbacks that have not returned.
  std::vector<std::string> finish(const NodeView::Base::SharedPtr & node, os::Time instant);

 private:
  std::vector<Departing> all() const;

  mutable os::Mutex mutex_{os::LockRank::departing_entities};
  std::vector<Departing> all_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
