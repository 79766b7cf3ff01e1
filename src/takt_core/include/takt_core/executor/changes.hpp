// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/executor/ids.hpp"
#include "takt_core/executor/scenario.hpp"
#include "takt_core/model/setup.hpp"
#include "takt_core/os/clock.hpp"

namespace takt::executor {

class Planner;
struct JobFunction;

/// A handle by which to wait for the jobs of removed tasks that had started and not finished.
/// Copies refer to the same tasks, and any threads may wait on them; the processor must outlive
/// every such wait. There is nothing to wait for if the change was made inside a callback of the
/// processor or under Processor::NonblockingRemoval. If all copies are destroyed before the jobs
/// have finished, a thread of the processor destroys the objects that were passed to remove_task()
/// as `keep`.
class Departures {
 public:
  Departures() = default;
  /// Blocks until all those jobs have finished. The objects passed as `keep` are destroyed by then,
  /// by one of the waiting threads. Must not be called in a callback of the processor.
  void wait();
  /// As wait(), but at most until `instant` (CLOCK_MONOTONIC, absolute, ns); with an instant that
  /// has passed it only checks. Returns false if a job has not finished. May be called again.
  bool wait_until(os::Time instant);
  /// The names of the tasks whose jobs have not finished. Allocates.
  std::vector<std::string> unfinished() const;
  /// Returns a handle for each of the tasks, by the address of its `keep`; tasks without one have a
  /// common handle. This handle and its copies refer to no task afterwards. To be called before any
  /// wait begins. Allocates.
  std::map<const void *, Departures> by_kept();

 private:
  friend class Planner;
  struct State;
  std::shared_ptr<State> state_;
};

/// Changes of a processor's tasks, groups and scenarios that take effect together: see
/// Processor::change(). The members allocate and throw std::invalid_argument. A call that throws
/// has no effect, but the calls before it remain; to discard the whole change, let the exception
/// leave the edit function.
class Changes {
 public:
  Changes(const Changes &) = delete;
  Changes & operator=(const Changes &) = delete;

  /// Adds a group and returns its number, which becomes valid when the change takes effect.
  GroupId add_group(model::Group group);
  /// Removes a group, which must have no task.
  void remove_group(GroupId group);
  /// Adds a task and returns its number, which becomes valid when the change takes effect. The task
  /// joins `group`, whatever `task.group` says.
  TaskId add_task(model::Task task, JobFunction function, GroupId group = GroupId::none);
  /// Replaces the parameters and the function of a task. Its group and its data flow stay, and so
  /// do its jobs.
  void change_task(TaskId task, const model::Task & next, JobFunction function);
  /// Removes a task: see Processor::remove_task().
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);
  /// Sets which channels the tasks read and publish. A task that is not named reads and publishes
  /// nothing.
  void set_data_flow(const std::map<TaskId, model::DataFlow> & data);
  /// Replaces the scenarios: see Processor::set_scenarios(). If `activate_first` is true, `first`
  /// becomes the active scenario in any case.
  void set_scenarios(const std::vector<Scenario> & scenarios,
                     model::ScenarioId first = model::base_scenario, bool activate_first = false);
  /// Whether the scenarios already give the tasks these parameters; their policies are not
  /// compared.
  bool has_timings(const std::vector<Scenario> & scenarios) const;

 private:
  friend class Planner;
  struct Draft;
  explicit Changes(Draft & draft) : draft_(draft) {}
  Draft & draft_;
};

}  // namespace takt::executor
