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

/// A task of a setup, with storage for its queued jobs.
struct PlannedTask {
  Task task;
  std::shared_ptr<Job[]> places;
};

/// The entry of a task number that is or was in use.
struct Member {
  enum class Stage : std::uint8_t { absent, present, leaving };
  std::shared_ptr<const PlannedTask> planned;  ///< nullptr: absent
  Stage stage = Stage::absent;
};

/// What a scheduler is to schedule: tasks, groups, policy, scenarios and release grid.
/// Scheduler::make_plan() makes a plan of it, and Scheduler::apply() puts that into effect. A value
/// type: copies share what they do not change, so an edit can be tried on a copy. Members that edit
/// allocate and throw std::invalid_argument, without effect.
class Setup {
 public:
  /// `max_levels`: the greatest number of workers (OS priorities), at least 1. If there are more
  /// ranks, neighbouring ones share a level, see Plan::merged.
  explicit Setup(std::shared_ptr<Policy> policy, Level max_levels = 45);

  /// Adds a group and returns its number, the lowest free one.
  GroupId add_group(Group group);
  /// Removes a group, which must have no task.
  void remove_group(GroupId group);
  /// Adds a task and returns its number, the lowest free one. Its releases begin with the grid or,
  /// if that has begun, at the first point of t0 + phase + k * period that is not before the plan
  /// takes effect.
  TaskId add_task(const Task & task);
  /// Replaces the parameters of a task; its group and data flow stay. Pending jobs get the new
  /// deadline and rank; the last of them are dropped if they exceed the new queue.
  void change_task(TaskId task, const Task & next);
  /// Removes a task that the scheduler has retired (Scheduler::retire()). `started`: one of its
  /// jobs is still started. That job finishes as it was, and the task keeps its number, level and
  /// group until forget().
  void remove_task(TaskId task, bool started = false);
  /// Reports that the last job of a removed task has finished.
  void forget(TaskId task);

  /// Replaces the policy; pending jobs are re-ranked.
  void set_policy(std::shared_ptr<Policy> policy);
  /// Whether jobs may preempt others under a preemptive policy; true by default.
  void set_preemption(bool allowed) noexcept { preemption_ = allowed; }
  /// Sets which channels the tasks read and publish. A task that is not named reads and publishes
  /// nothing. Pending jobs stay.
  void set_data_flow(const std::map<TaskId, DataFlow> & data);
  /// Replaces all scenarios but the base; their numbers count from 1. They may name present tasks
  /// only (removed tasks are dropped from them), and must give each task valid parameters. The
  /// number of the active scenario stays active, with its new content. If the base was active, or a
  /// number that no longer exists, or if `activate_first` is true, `first` becomes active.
  void set_scenarios(std::vector<Scenario> scenarios, ScenarioId first = base_scenario,
                     bool activate_first = false);
  /// Whether the scenarios give the present tasks these parameters, scenario by scenario.
  bool has_timings(const std::vector<std::map<TaskId, Timing>> & timings) const;
  /// Sets the origin t0 of the release grid, for all timers, added before or later. A second call
  /// begins a new grid with index 0.
  void start_grid(Time t0);

  bool contains(TaskId task) const noexcept;
  /// The task of a number. Throws std::invalid_argument if there is none.
  const Task & task(TaskId task) const;
  std::optional<Time> grid() const noexcept { return t0_; }
  const Policy & policy() const noexcept { return *policy_; }
  bool preemption() const noexcept { return preemption_; }
  /// Whether the policy of the base or of any scenario is preemptive.
  bool wants_preemption() const noexcept;
  /// The number of tasks that may have a job in the background.
  std::size_t lowerable() const noexcept { return lowerable_; }
  Level max_levels() const noexcept { return max_levels_; }
  /// One more than the greatest task number.
  std::size_t size() const noexcept { return tasks_.size(); }

 private:
  friend class PlanMaker;
  using Stage = Member::Stage;
  struct GroupEntry {
    Group group;
    Stage stage = Stage::absent;
    std::uint32_t leaving = 0;  ///< tasks that are leaving
    std::uint32_t present = 0;
    std::uint32_t background = 0;  ///< present tasks whose jobs may go on in the background
  };
  struct SharedScenario {
    std::shared_ptr<Policy> policy;
    std::shared_ptr<const std::map<TaskId, Timing>> timings;
  };

  void check_group(const Task & task) const;
  /// Adds the task to its group, or removes it.
  void join(const Task & task) noexcept;
  void part(const Task & task) noexcept;
  /// Checks the data flow in every scenario, with `all` as the tasks.
  void check_data(const std::vector<const Task *> & all) const;
  std::vector<const Task *> present() const;
  void leave_group(GroupId group) noexcept;

  std::shared_ptr<Policy> policy_;
  Level max_levels_;
  bool preemption_ = true;
  SharedArray<Member> tasks_;
  std::size_t absent_ = 0;     // entries of tasks_ that are absent
  std::size_t lowerable_ = 0;  // entries of tasks_ whose jobs may go on in the background
  std::vector<GroupEntry> groups_;
  std::vector<SharedScenario> scenarios_;  // without the base
  std::optional<Time> t0_;
  std::uint32_t grids_ = 0;  // the number of grids begun

  // Changes since the last plan.
  std::vector<TaskId> coming_;
  std::vector<TaskId> changed_;
  bool new_grid_ = false;
  bool new_scenarios_ = false;
  ScenarioId first_ = base_scenario;
  bool activate_first_ = false;
};

}  // namespace takt::model
