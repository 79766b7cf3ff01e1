// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/callback_group.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "departing_entities.hpp"
#include "entity.hpp"
#include "given_options.hpp"
#include "node_view.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/task_registry.hpp"
#include "timer_entity.hpp"
#include "timer_reads.hpp"
#include "waitable_entity.hpp"

namespace takt::rclcpp {

/// Keeps the tasks of an executor consistent with the entities of rclcpp's callback groups. One thread at
/// a time, unless stated otherwise.
class Entities {
 public:
  using Group = ::rclcpp::CallbackGroup;

  Entities(std::shared_ptr<tasks::TaskRegistry> registry, std::shared_ptr<EntityWatcher> watcher)
      : registry_(std::move(registry)), watcher_(std::move(watcher)) {}
  ~Entities() { clear(); }
  Entities(const Entities &) = delete;
  Entities & operator=(const Entities &) = delete;

  /// Callback groups with their nodes; the groups of a node are in the order of their creation.
  using Groups = std::vector<std::pair<Group::SharedPtr, NodeView::Base::SharedPtr>>;
  /// Adds tasks of new entities and removes those of entities that are gone. `groups` returns the current
  /// groups; it is called again if groups depart in the meantime. Does not wait for jobs. Throws what
  /// `groups` throws, and Error for an entity that cannot become a task with its options; all other
  /// entities do.
  void refresh(const std::function<Groups()> & groups);
  /// Returns whether the last refresh() left out an entity that will be added later: it must wait for the
  /// end of a job of its former task, or of one that has left its mutually exclusive group. Any thread.
  bool has_postponed() const noexcept { return has_postponed_.load(); }
  /// The entities that refresh() has removed and whose callbacks have not returned. Any thread.
  DepartingEntities & departing() noexcept { return departing_; }
  /// Removes all entities.
  void clear();
  /// Called when groups have left the executor's collection. Their entities cease to be notified and to
  /// run, so that another executor may take them; the next refresh() removes them. Returns whether there
  /// are any. Any thread, including callbacks; does not wait for jobs.
  bool end_departed();
  /// Makes all entities, and those that are added later, begin or cease to be notified of new items.
  void listen(bool on);

  /// Sets the strategy, which says which topics timers read; nullptr: none. Throws the first Error that
  /// occurs, but applies the strategy to all other timers.
  void set_strategy(const SchedulingStrategy::SharedPtr & strategy);

  /// The options that were given to entities. Any thread.
  GivenOptions & options() noexcept { return options_; }
  /// The entities that must be waited for with a wait set. Any thread.
  struct Waiting {
    std::vector<std::shared_ptr<TimerEntity>> timers;
    std::vector<std::shared_ptr<WaitableEntity>> waitables;
    bool empty() const noexcept { return timers.empty() && waitables.empty(); }
  };
  Waiting waiting() const;
  /// Returns the name of the entity's task; "" if it has none. Any thread.
  std::string name_of(const std::shared_ptr<const void> & entity) const;

 private:
  struct Found;
  struct Known {
    std::weak_ptr<const void> entity;
    std::shared_ptr<Entity> task;
    std::shared_ptr<NodeView> node;
    Group::WeakPtr group;
    std::uint64_t version = 0;  // version of its options
    bool listed = false;        // whether the node has listed it, and so given it its name
  };
  using Tasks = std::map<const void *, std::shared_ptr<Entity>>;
  std::vector<Found> find(const Groups & groups);
  std::shared_ptr<NodeView> view_of(const NodeView::Base::SharedPtr & base);
  CallbackGroup::SharedPtr group_of(const Group::SharedPtr & group);
  std::shared_ptr<Entity> make(const Found & found, const GivenOptions::Given & given);
  /// Removes entities that are not in `found` or whose options have changed, and returns them, for
  /// end_removed(). The latter are kept in `replaced_` and are notified until their successors are.
  std::vector<Known> remove(const std::vector<Found> & found);
  /// Adds new entities. Returns false if groups have departed in the meantime, so that the groups must be
  /// read again.
  bool add(const std::vector<Found> & found, std::uint64_t departures, std::exception_ptr & failed);
  void add_nodes(std::exception_ptr & failed);
  void end_removed(const std::vector<Known> & gone);
  void read(const std::set<const tasks::Node *> & changed, std::exception_ptr & failed);
  std::vector<std::shared_ptr<Entity>> all() const;

  const std::shared_ptr<tasks::TaskRegistry> registry_;
  const std::shared_ptr<EntityWatcher> watcher_;
  const std::shared_ptr<Channels> channels_ = std::make_shared<Channels>();
  const std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  GivenOptions options_;
  SchedulingStrategy::SharedPtr strategy_;
  struct View {
    NodeView::Base::WeakPtr base;
    std::shared_ptr<NodeView> node;
    std::string refusal;  // the last reported reason why the node does not run
  };
  std::vector<View> views_;  // in the order in which the nodes were added
  std::map<NodeView::Base::WeakPtr, std::shared_ptr<NodeView>, std::owner_less<>> view_of_base_;
  std::map<const Group *, std::pair<Group::WeakPtr, CallbackGroup::SharedPtr>> groups_;
  std::set<const tasks::Node *> refused_reads_;  // nodes with timers whose reads were refused
  Tasks replaced_;  // tasks to be continued by successors with other options
  std::set<const void *> postponed_;
  DepartingEntities departing_;
  std::atomic<bool> has_postponed_ = false;
  mutable os::Mutex mutex_{os::LockRank::entities};  // for readers on other threads
  std::map<const void *, Known> known_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t departures_ TAKT_GUARDED_BY(mutex_) = 0;
  std::vector<Known> removed_ TAKT_GUARDED_BY(mutex_);  // not in known_ any more, but still listed
};

}  // namespace takt::rclcpp
