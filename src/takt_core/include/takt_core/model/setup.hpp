// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "takt_core/model/policy.hpp"
#include "takt_core/model/scenario.hpp"
#include "takt_core/model/shared_array.hpp"
#include "takt_core/model/task.hpp"

namespace takt::model {

/// A task that is part of a setup, and the places of its jobs beyond the first.
struct PlannedTask {
  Task task;
  std::shared_ptr<Job[]> places;
};

/// A number that a task of a setup has or had.
struct Member {
  enum class Stage : std::uint8_t { absent, present, leaving };
  std::shared_ptr<const PlannedTask> planned;  ///< nullptr: absent
  Stage stage = Stage::absent;
};

/// What a scheduler is to schedule: tasks, groups, policy, scenarios, grid. Scheduler::make_plan()
/// makes a plan of it, which Scheduler::apply() puts in force. A value: a copy shares what it does
/// not change, so whoever fears that an edit is refused edits a copy. Members that edit allocate and
/// throw std::invalid_argument; nothing has changed then.
class Setup {
 public:
  /// `max_levels`: how many workers (OS priorities) there are at most, >= 1; where ranks outnumber
  /// them neighbours merge, see Scheduler::merged_levels().
  explicit Setup(std::shared_ptr<Policy> policy, Level max_levels = 45);

  /// Its number is the lowest that is free.
  GroupId add_group(Group group);
  /// It has no task.
  void remove_group(GroupId group);
  /// Likewise. Its releases begin with the grid or, if that has begun, at the first point of
  /// t0 + phase + k * period that is not before the plan is in force.
  TaskId add_task(const Task & task);
  /// What the task is from now on; its group and data stay. Pending jobs get the new deadline
  /// and rank; those that no longer fit into its queue, the last, are no more.
  void change_task(TaskId task, const Task & next);
  /// The scheduler has retired it. `started`: one of its jobs is started still: it ends as it was, and
  /// until forget() the task keeps its number, level and group.
  void remove_task(TaskId task, bool started = false);
  /// That job has ended.
  void forget(TaskId task);

  /// Pending jobs are ranked anew.
  void set_policy(std::shared_ptr<Policy> policy);
  /// Whether jobs may preempt others, where a policy has it so; true at first.
  void set_preemption(bool allowed) noexcept { preemption_ = allowed; }
  /// What tasks read and publish from now on; those that are not named, nothing. Pending jobs stay.
  void set_data_flow(const std::map<TaskId, DataFlow> & data);
  /// Replaces all scenarios but the base; the first has the number 1. They name present tasks, and
  /// forget those that are removed; what they make of a task must be as valid as a task that is
  /// added. The number that holds goes on to hold, with its new content; where the base held, or one
  /// that is gone, or if `anew`, `first` does.
  void set_scenarios(std::vector<Scenario> scenarios, ScenarioId first = base_scenario,
                     bool anew = false);
  /// t0 of the grid; timers added before or after lie on it for ever. A second call begins a new grid
  /// with index 0.
  void start_grid(Time t0);

  bool contains(TaskId task) const noexcept;
  /// Throws std::invalid_argument if there is none.
  const Task & task(TaskId task) const;
  std::optional<Time> grid() const noexcept { return t0_; }
  const Policy & policy() const noexcept { return *policy_; }
  bool preemption() const noexcept { return preemption_; }
  /// Whether the policy of a scenario, or of the base, preempts.
  bool wants_preemption() const noexcept;
  /// How many tasks may have a job in the background.
  std::size_t lowerable() const noexcept { return lowerable_; }
  Level max_levels() const noexcept { return max_levels_; }
  /// How many numbers of tasks there are, those in between included.
  std::size_t size() const noexcept { return tasks_.size(); }

 private:
  friend class PlanMaker;
  using Stage = Member::Stage;
  struct GroupEntry {
    Group group;
    Stage stage = Stage::absent;
    std::uint32_t leaving = 0;  ///< tasks that are
    std::uint32_t present = 0;
    std::uint32_t background = 0;  ///< of those present, who may go on in the background
  };
  struct SharedScenario {
    std::shared_ptr<Policy> policy;
    std::shared_ptr<const std::map<TaskId, Timing>> timings;
  };

  void check_group(const Task & task) const;
  /// The task is one of its group from now on, or none any more.
  void join(const Task & task) noexcept;
  void part(const Task & task) noexcept;
  /// Of every scenario, as if `all` were the tasks.
  void check_data(const std::vector<const Task *> & all) const;
  std::vector<const Task *> present() const;
  void leave_group(GroupId group) noexcept;

  std::shared_ptr<Policy> policy_;
  Level max_levels_;
  bool preemption_ = true;
  SharedArray<Member> tasks_;
  std::size_t absent_ = 0;     // of tasks_
  std::size_t lowerable_ = 0;  // likewise
  std::vector<GroupEntry> groups_;
  std::vector<SharedScenario> scenarios_;  // the base is not among them
  std::optional<Time> t0_;
  std::uint32_t grids_ = 0;  // how often one has begun

  // Since the last plan.
  std::vector<TaskId> coming_;
  std::vector<TaskId> changed_;
  bool new_grid_ = false;
  bool new_scenarios_ = false;
  ScenarioId first_ = base_scenario;
  bool anew_ = false;
};

}  // namespace takt::model
