// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dispatcher.hpp"
#include "takt_core/executor/changes.hpp"
#include "takt_core/model/setup.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// What a processor is to schedule, and the making of plans of it. A change is made by the thread
/// that asks for it, one at a time: it edits a copy of the setup, makes the plan without the
/// processor's lock, sees that there are the workers that it needs, and has the dispatcher exchange
/// it. No job waits for that, and it waits for no job but those of tasks that it removed.
class Planner {
 public:
  /// `ensure`: as many workers may be needed from now on. May throw.
  Planner(model::Setup setup, Dispatcher & dispatcher,
          std::function<void(const WorkerCount &)> ensure,
          std::shared_ptr<trace::Recorder> recorder);

  /// Allocates; throws what `edit` does, std::system_error if a worker's thread cannot be had, and
  /// std::length_error for too many tasks. Nothing has changed then, but that tasks which were to be
  /// removed have no jobs any more.
  Departures change(const std::function<void(Changes &)> & edit);
  /// The same with the setup itself, for what concerns no task.
  void change_setup(const std::function<void(model::Setup &)> & edit);
  /// Where preemption was forbidden it is allowed again. Whether the policy wants it.
  bool allow_preemption();
  void forbid_preemption();
  /// At this instant, unless there is a grid.
  void start_grid(model::Time t0);
  /// No change is made while `start` gives the processor its workers, `alone`: the only one. Until
  /// then none is refused for what they cannot do.
  void start(bool alone, const std::function<void(const WorkerCount &)> & start);
  void end() noexcept;

 private:
  friend class Changes;
  friend class Departures;
  void forget_ended() TAKT_REQUIRES(mutex_);
  /// Has the setup exchanged, with what comes and what has another function.
  void exchange(model::Setup & setup, const std::vector<TaskTable::Coming> & coming,
                const std::vector<TaskTable::Coming> & renewed) TAKT_REQUIRES(mutex_);
  void change_locked(const std::function<void(model::Setup &)> & edit) TAKT_REQUIRES(mutex_);
  static WorkerCount workers_of(const model::Plan & plan) noexcept;

  Dispatcher & dispatcher_;
  const std::function<void(const WorkerCount &)> ensure_;
  const std::shared_ptr<trace::Recorder> recorder_;
  os::PiMutex mutex_{os::LockRank::planner};
  model::Setup setup_ TAKT_GUARDED_BY(mutex_);
  WorkerCount workers_ TAKT_GUARDED_BY(mutex_);
  bool alone_ TAKT_GUARDED_BY(mutex_) = false;  // one worker, as nothing preempts
  // With a started job, as the scheduler calls them.
  std::vector<model::TaskId> leaving_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
