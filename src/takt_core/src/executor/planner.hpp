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

/// A processor's setup, and the changes to it. A change is made by the requesting thread, one at a
/// time: it edits a copy of the setup, makes the plan without the processor's lock, has the needed
/// workers created, and has the dispatcher switch to the plan. No job waits for that, and the
/// thread waits only for jobs of tasks that it removed.
class Planner {
 public:
  /// `ensure` creates the workers that may be needed; it may throw.
  Planner(model::Setup setup, Dispatcher & dispatcher,
          std::function<void(const WorkerCount &)> ensure,
          std::shared_ptr<trace::Recorder> recorder);

  /// Makes a change. Allocates; throws what `edit` throws, std::system_error if a worker's thread
  /// cannot be created, and std::length_error for too many tasks; without effect then, except that
  /// tasks that were to be removed have no jobs any more.
  Departures change(const std::function<void(Changes &)> & edit);
  /// As change(), on the setup itself, for changes that concern no task.
  void change_setup(const std::function<void(model::Setup &)> & edit);
  /// See Changes::has_timings().
  bool has_timings(const std::vector<Scenario> & scenarios);
  /// Allows preemption. Returns whether the policy is preemptive.
  bool allow_preemption();
  void forbid_preemption();
  /// Starts the release grid at t0 unless it has been started.
  void start_grid(model::Time t0);
  /// Calls `start` to create the processor's workers; no change is made meanwhile. `alone`: there
  /// will be one worker. Until end(), changes that this worker cannot serve are refused.
  void start(bool alone, const std::function<void(const WorkerCount &)> & start);
  void end() noexcept;

 private:
  friend class Changes;
  friend class Departures;
  void forget_ended() TAKT_REQUIRES(mutex_);
  /// Has the dispatcher switch to the setup, with the added tasks and those with new functions.
  void exchange(model::Setup & setup, std::vector<TaskTable::NewEntry> added,
                const std::vector<TaskTable::NewEntry> & changed) TAKT_REQUIRES(mutex_);
  void change_locked(const std::function<void(model::Setup &)> & edit) TAKT_REQUIRES(mutex_);
  static WorkerCount workers_of(const model::Plan & plan) noexcept;

  Dispatcher & dispatcher_;
  const std::function<void(const WorkerCount &)> ensure_;
  const std::shared_ptr<trace::Recorder> recorder_;
  os::PiMutex mutex_{os::LockRank::planner};
  model::Setup setup_ TAKT_GUARDED_BY(mutex_);
  WorkerCount workers_ TAKT_GUARDED_BY(mutex_);
  bool has_single_worker_ TAKT_GUARDED_BY(mutex_) = false;  // since nothing preempts
  // Removed tasks with a started job, by their numbers in the model.
  std::vector<model::TaskId> leaving_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
