// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/callback_group.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "entity.hpp"
#include "given_options.hpp"
#include "node_view.hpp"
#include "takt_core/tasks/binder.hpp"
#include "timer_entity.hpp"
#include "waitable_entity.hpp"

namespace takt::rclcpp {

/// Keeps the tasks of an executor in line with the entities of rclcpp's callback groups. One thread
/// at a time but for what says otherwise.
class Entities {
 public:
  using Group = ::rclcpp::CallbackGroup;

  Entities(std::shared_ptr<tasks::Binder> binder, std::shared_ptr<Keeper> keeper)
      : binder_(std::move(binder)), keeper_(std::move(keeper)) {}
  ~Entities() { clear(); }
  Entities(const Entities &) = delete;
  Entities & operator=(const Entities &) = delete;

  /// Groups with their nodes, those of a node in the order in which it made them. Throws Error for
  /// an entity that cannot be a task as its options say; the others are.
  using Groups = std::vector<std::pair<Group::SharedPtr, NodeView::Base::SharedPtr>>;
  void refresh(const Groups & groups);
  void clear() { refresh({}); }
  /// All of them start or stop to be told of what comes. Later ones are told.
  void listen(bool on);

  /// The strategy says which topics timers read. nullptr: none. Throws Error.
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

 private:
  struct Found;
  struct Known {
    std::weak_ptr<const void> entity;
    std::shared_ptr<Entity> task;
    std::shared_ptr<NodeView> node;
    const Group * group = nullptr;
    std::uint64_t version = 0;  // of its options
  };
  std::vector<Found> find(const Groups & groups);
  std::shared_ptr<NodeView> view_of(const NodeView::Base::SharedPtr & base);
  CallbackGroup::SharedPtr group_of(const Group::SharedPtr & group);
  std::shared_ptr<Entity> make(const Found & found, const GivenOptions::Given & given);
  void remove(const std::vector<Found> & found);
  void add(const std::vector<Found> & found);
  void infer_reads(TimerEntity & timer);
  std::shared_ptr<Entity> subscription_of(const tasks::Node & node,
                                          const std::string & topic) const;

  const std::shared_ptr<tasks::Binder> binder_;
  const std::shared_ptr<Keeper> keeper_;
  const std::shared_ptr<Channels> channels_ = std::make_shared<Channels>();
  GivenOptions options_;
  SchedulingStrategy::SharedPtr strategy_;
  std::map<const NodeView::Base *, std::pair<NodeView::Base::WeakPtr, std::shared_ptr<NodeView>>>
      views_;
  std::map<const Group *, std::pair<Group::WeakPtr, CallbackGroup::SharedPtr>> groups_;
  mutable std::mutex mutex_;  // of what follows, for those who look
  std::map<const void *, Known> known_;
};

}  // namespace takt::rclcpp
