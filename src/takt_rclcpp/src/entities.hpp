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

/// Keeps the tasks of an executor in line with the entities of rclcpp's callback groups. One thread
/// at a time but for what says otherwise.
class Entities {
 public:
  using Group = ::rclcpp::CallbackGroup;

  Entities(std::shared_ptr<tasks::TaskRegistry> registry, std::shared_ptr<EntityWatcher> watcher)
      : registry_(std::move(registry)), watcher_(std::move(watcher)) {}
  ~Entities() { clear(); }
  Entities(const Entities &) = delete;
  Entities & operator=(const Entities &) = delete;

  /// Groups with their nodes, those of a node in the order in which it made them.
  using Groups = std::vector<std::pair<Group::SharedPtr, NodeView::Base::SharedPtr>>;
  /// `groups` says which there are, once more if some depart meanwhile. Waits for no job. Throws what
  /// it throws, and Error for an entity that cannot be a task as its options say; the others are.
  void refresh(const std::function<Groups()> & groups);
  /// Whether the last refresh() left something out that is to be looked for again soon: it comes when a
  /// job has ended of what it was before, or of what has left its exclusive group. Any thread.
  bool holds_back() const noexcept { return holds_back_.load(); }
  /// What refresh() removed, and whose callbacks have not returned. Any thread.
  DepartingEntities & departing() noexcept { return departing_; }
  void clear();
  /// The executor's collection has no longer all groups: entities of those that have gone neither
  /// listen nor run from now on, so that another executor may take them. Any thread, callbacks too;
  /// waits for no job. Returns whether there are any, which go for good with the next refresh().
  bool let_go();
  /// All of them start or stop to be told of what comes. Later ones are told.
  void listen(bool on);

  /// The strategy says which topics timers read. nullptr: none. Throws the first Error there is, the
  /// others follow it all the same.
  void set_strategy(const SchedulingStrategy::SharedPtr & strategy);

  /// Any thread.
  GivenOptions & options() noexcept { return options_; }
  /// Those that a wait set must wait for. Any thread.
  struct Waiting {
    std::vector<std::shared_ptr<TimerEntity>> timers;
    std::vector<std::shared_ptr<WaitableEntity>> waitables;
    bool empty() const noexcept { return timers.empty() && waitables.empty(); }
  };
  Waiting waiting() const;
  /// "": it has no task. Any thread.
  std::string name_of(const std::shared_ptr<const void> & entity) const;

 private:
  struct Found;
  struct Known {
    std::weak_ptr<const void> entity;
    std::shared_ptr<Entity> task;
    std::shared_ptr<NodeView> node;
    Group::WeakPtr group;
    std::uint64_t version = 0;  // of its options
    bool listed = false;        // and so has its name
  };
  using Tasks = std::map<const void *, std::shared_ptr<Entity>>;
  std::vector<Found> find(const Groups & groups);
  std::shared_ptr<NodeView> view_of(const NodeView::Base::SharedPtr & base);
  CallbackGroup::SharedPtr group_of(const Group::SharedPtr & group);
  std::shared_ptr<Entity> make(const Found & found, const GivenOptions::Given & given);
  /// Returns those that run no more, for bury(); those of them whose options have changed are
  /// `replaced_`, and listen until the next one does.
  std::vector<Known> remove(const std::vector<Found> & found);
  /// False if groups have departed since: then it is to be looked again.
  bool add(const std::vector<Found> & found, std::uint64_t departures, std::exception_ptr & failed);
  void add_nodes(std::exception_ptr & failed);
  void bury(const std::vector<Known> & gone);
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
    std::string refusal;  // as it was told
  };
  std::vector<View> views_;  // in the order in which they came
  std::map<const Group *, std::pair<Group::WeakPtr, CallbackGroup::SharedPtr>> groups_;
  std::set<const tasks::Node *> unread_;  // whose timers' reads were refused
  Tasks replaced_;                        // with other options, and not yet taken over
  std::set<const void *> held_back_;
  DepartingEntities departing_;
  std::atomic<bool> holds_back_ = false;
  mutable os::Mutex mutex_{os::LockRank::entities};  // for those who look
  std::map<const void *, Known> known_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t departures_ TAKT_GUARDED_BY(mutex_) = 0;
  std::vector<Known> gone_ TAKT_GUARDED_BY(mutex_);  // no longer known, still listed
};

}  // namespace takt::rclcpp
