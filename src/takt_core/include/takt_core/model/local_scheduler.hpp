// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "takt_core/model/scheduler.hpp"
#include "takt_core/model/setup.hpp"

namespace takt::model {

/// A scheduler with its setup, for use by one thread, as in simulations and checks. Changes take
/// effect with commit(), except that a removed task has no releases and no pending jobs at once.
/// Exceptions are those of Setup.
class LocalScheduler : public Scheduler {
 public:
  explicit LocalScheduler(std::shared_ptr<Policy> policy, Level max_levels = 45)
      : LocalScheduler(Setup(std::move(policy), max_levels)) {}

  GroupId add_group(Group group) { return setup_.add_group(group); }
  void remove_group(GroupId group) { setup_.remove_group(group); }
  /// Adds a task whose first release is not before `now`.
  TaskId add_task(const Task & task, Time now = -never) {
    forget_ended();
    const TaskId id = setup_.add_task(task);
    now_ = std::max(now_, now);
    return id;
  }
  void change_task(TaskId task, const Task & next) { setup_.change_task(task, next); }
  void remove_task(TaskId task) {
    setup_.task(task);
    const bool is_started = retire(task);
    setup_.remove_task(task, is_started);
    if (is_started) leaving_.push_back(task);
  }
  void set_policy(std::shared_ptr<Policy> policy) { setup_.set_policy(std::move(policy)); }
  void set_data_flow(const std::map<TaskId, DataFlow> & data) { setup_.set_data_flow(data); }
  /// Replaces the scenarios. The next release of each timer is its first point after `now`.
  void set_scenarios(std::vector<Scenario> scenarios, Time now, ScenarioId first = base_scenario) {
    setup_.set_scenarios(std::move(scenarios), first);
    now_ = std::max(now_, now);
  }
  void start_grid(Time t0) { setup_.start_grid(t0); }
  /// Puts the changes into effect, after making the releases up to the latest instant passed above.
  /// Allocates.
  void commit() {
    forget_ended();
    const Outlook outlook = begin_plan(now_);
    std::unique_ptr<Plan> plan = make_plan(setup_, outlook);
    apply(plan, now_);
  }

  /// The setup with all changes, whether committed or not.
  const Setup & setup() const noexcept { return setup_; }

 private:
  explicit LocalScheduler(Setup setup) : Scheduler(setup), setup_(std::move(setup)) {}
  void forget_ended() {
    const auto ended = [this](TaskId task) {
      if (busy(task)) return false;
      setup_.forget(task);
      return true;
    };
    std::erase_if(leaving_, ended);
  }

  Setup setup_;
  std::vector<TaskId> leaving_;
  Time now_ = -never;
};

}  // namespace takt::model
