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

/// Tasks that go, and whose jobs may be started still. A handle: copies stand for the same tasks, and
/// any threads may wait for them; the processor must still be there. There is nothing to wait for
/// where the change was made inside a callback of the processor, or Processor::Later was wanted. If
/// all copies go before the jobs have ended, a thread of the processor destroys what was kept.
class Departures {
 public:
  Departures() = default;
  /// Blocks until none of those jobs is started; what was kept for them is destroyed then, by one of
  /// those who wait. Not from a callback of the processor.
  void wait();
  /// The same until `instant` (CLOCK_MONOTONIC, ns) at the latest; one that has passed: only looks.
  /// False if a job had not ended. May be called again.
  bool wait_until(os::Time instant);
  /// The names of the tasks whose jobs have not ended. Allocates.
  std::vector<std::string> left() const;

 private:
  friend class Planner;
  struct State;
  std::shared_ptr<State> state_;
};

/// Changes of a processor's tasks, groups and scenarios that come in force together: see
/// Processor::change(). Members allocate and throw std::invalid_argument; what went before them stays
/// as it is then, and whoever wants nothing changed lets the exception out.
class Changes {
 public:
  Changes(const Changes &) = delete;
  Changes & operator=(const Changes &) = delete;

  GroupId add_group(model::Group group);
  /// The group must have no task.
  void remove_group(GroupId group);
  /// Its number is in force with the change. Its group is `group`, whatever the task says of one.
  TaskId add_task(model::Task task, JobFunction function, GroupId group = GroupId::none);
  /// What the task is from now on, and runs; its group and data stay, and its jobs.
  void change_task(TaskId task, const model::Task & next, JobFunction function);
  /// See Processor::remove_task().
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);
  /// What tasks read and publish from now on; those that are not named, nothing.
  void set_data_flow(const std::map<TaskId, model::DataFlow> & data);
  /// See Processor::set_scenarios(). `anew`: `first` holds, whichever held before.
  void set_scenarios(const std::vector<Scenario> & scenarios,
                     model::ScenarioId first = model::base_scenario, bool anew = false);

 private:
  friend class Planner;
  struct Draft;
  explicit Changes(Draft & draft) : draft_(draft) {}
  Draft & draft_;
};

}  // namespace takt::executor
