// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dispatch_counters.hpp"
#include "gate.hpp"
#include "removed_tasks.hpp"
#include "scenario_request.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/model/scheduler.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/trace/recorder.hpp"
#include "task_table.hpp"
#include "timekeeper.hpp"

namespace takt::executor {

class NoticeHandler;
class Worker;

/// The number of workers that exist or may be needed.
struct WorkerCount {
  model::Level levels = 1;  ///< one worker per level
  std::size_t spares = 0;   ///< to take over the level of a worker whose job goes on in the
                            ///< background
  bool covers(const WorkerCount & other) const noexcept {
    return levels >= other.levels && spares >= other.spares;
  }
};

/// The scheduler with its lock, and the execution of its decisions: gives jobs to workers, and
/// tells the thread that keeps the time when to wake up. The thread that brings an input makes the
/// decision at once; threads are woken after the lock is released. "Keeping the time" means
/// sleeping until the next release or deadline and then calling keep_time().
class Dispatcher {
 public:
  /// The objects to be notified. They must outlive all use of the dispatcher.
  struct Listeners {
    os::Event & timer;  ///< wakes the timer thread
    os::Event & idle;   ///< posted when nothing is started any more after stop()
    NoticeHandler & notices;
    /// Called when the number of levels has changed; `merged`: ranks without a level of their own.
    /// Called under the lock; must not throw.
    std::function<void(model::Level levels, std::size_t merged)> levels;
    /// Called when the worker's thread is to have the OS priority of this level, 0 for the
    /// background. Called under the lock; must not throw.
    std::function<void(Worker &, model::Level)> run_at;
  };

  Dispatcher(model::Setup & setup, const Options & options, Listeners listeners);
  /// Sets all workers that may ever be used, by level - 1, whether they have threads or not;
  /// removes all spare ones. To be called while none has a job.
  void set_workers(std::vector<Worker *> workers);
  /// Adds a spare worker.
  void add_spare(Worker & worker);
  std::size_t count_workers() const noexcept;

  // ---- inputs, while spinning: they neither allocate nor throw ----------------------------------

  /// What the calling thread is to do next.
  struct Next {
    bool job = false;                  ///< run the job it was given
    model::Time until = model::never;  ///< otherwise wait, at most until this instant
  };
  /// The job of `worker` has finished.
  Next finish(Worker & worker) noexcept;
  /// Releases what is due. `self`: the calling worker, nullptr for another thread. A thread that
  /// does not keep the time may call it, too, and gets no instant to wait for.
  Next keep_time(Worker * self) noexcept;
  /// Makes a thread call keep_time() soon, even while the worker that keeps the time is running a
  /// long job. Any thread.
  void request_keep_time() noexcept { timekeeper_.request_keep_time(); }
  /// Whether this worker keeps the time.
  bool keeps_time(const Worker & worker) const noexcept { return timekeeper_.worker() == &worker; }
  model::Release release(TaskId task) noexcept;
  void restart(TaskId task, model::Time first, model::Time reset) noexcept;
  void set_state(model::ApplicationState state) noexcept;
  void set_quiescent(bool quiescent) noexcept;

  // ---- middleware sections, called by a worker that is running a job ----------------------------

  void enter_section() noexcept {
    if (single_worker_ == nullptr) gate_.enter_section();
  }
  void leave_section() noexcept {
    if (single_worker_ == nullptr && gate_.leave_section()) resume();
  }
  /// To be called when a worker whose job is in the background enters or has left a section: while
  /// its section defers starts, it gets a priority above all others.
  void hurry(Worker & worker) noexcept;
  /// Whether a worker that was just given a job must wait ("park"), because a section was entered
  /// on another CPU at the same moment. If so, it waits at most until `until` and then asks again;
  /// its event is posted when it need not wait any longer.
  bool must_park(Worker & worker, model::Time & until) noexcept;
  /// Records that the worker's job, which was to begin at once, must wait: see must_park().
  void delay_start(Worker & worker) noexcept;

  // ---- changes, by the planner, one at a time ---------------------------------------------------

  /// Ends the task's releases and drops its pending jobs. Returns whether one of its jobs is
  /// started.
  bool retire(const std::shared_ptr<RemovedTask> & task);
  /// Removes from `tasks` (numbers in the model) those that have no started job any more, and
  /// returns them. Allocates.
  std::vector<model::TaskId> take_ended(std::vector<model::TaskId> & tasks);
  /// Destroys the `keep` of removed tasks that no thread waited for. By a thread that may block.
  void destroy_removed_tasks();
  /// Whether the task is being removed and a job of it is started.
  bool is_being_removed(TaskId task) const noexcept;
  /// Whether the calling thread must not wait for a job of this processor.
  bool must_not_wait() const noexcept;

  /// Makes a plan. Allocates; takes the lock only for a moment. The rest, and making room for
  /// tasks, runs concurrently with the scheduler, by one thread at a time.
  std::unique_ptr<model::Plan> make_plan(model::Setup & setup) TAKT_NO_THREAD_SAFETY_ANALYSIS;
  /// As TaskTable::prepare(); takes no lock.
  TaskTable::NewEntry prepare_task(model::TaskId in_model, const std::string & name,
                                   const JobFunction & function) const
      TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.prepare(in_model, name, function);
  }
  /// Puts the plan into effect, with functions for the tasks in `added` and new functions for
  /// those in `changed`. The workers that the plan needs must exist. The old plan is returned in
  /// `plan`, and what earlier tasks of the same numbers have left in `added`.
  void apply(std::unique_ptr<model::Plan> & plan, std::vector<TaskTable::NewEntry> & added,
             const std::vector<TaskTable::NewEntry> & changed) noexcept;
  /// The plan in effect; only for the thread that makes the next one.
  const model::Plan & plan() const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return scheduler_.plan();  // no other thread replaces it
  }
  /// The name of the policy as it runs.
  std::string policy() const {
    const os::Lock lock(mutex_);
    return scheduler_.plan().policy;
  }
  const Numbering & numbering() const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.numbering();  // never changes
  }

  // ---- scenarios --------------------------------------------------------------------------------

  /// Requests a scenario. Any thread; takes no lock. `when`: the instant of the request;
  /// model::never for now.
  void request_scenario(model::ScenarioId scenario, model::Time when) noexcept;

  // ---- running ----------------------------------------------------------------------------------

  /// With true, the plan does not preempt and the first worker keeps the time. Only while halted.
  void set_single_worker(bool alone) noexcept;
  /// Allows starts, and begins to keep the time.
  void go() noexcept;
  /// Stops all starts. Async-signal-safe.
  void stop() noexcept;
  bool stopping() const noexcept { return (gate_.look() & Gate::stopping) != 0; }
  /// The state of a worker that has a job.
  enum class Place : std::uint8_t { running, preempted, background };
  Place place(const Worker & worker) const noexcept;
  /// Whether jobs may preempt others at present, and if not, why.
  enum class Preemption : std::uint8_t { allowed, not_by_policy, not_without_rights };
  /// How jobs are scheduled in the active scenario.
  struct Scheduling {
    std::string policy;  ///< the name of the policy, even if it does not preempt for lack of rights
    Preemption preemption = Preemption::allowed;
  };
  /// Allocates.
  Scheduling scheduling() const;
  /// The job that would start next, if the job of a certain worker keeps it from starting.
  struct DelayedStart {
    TaskTable::Name task;   ///< nullptr: there is no such job, or it is not known
    bool by_group = false;  ///< it is more urgent, but waits because of a group's ceiling
  };
  /// The job that the job of this worker keeps from starting.
  DelayedStart start_delayed_by(const Worker & worker) const noexcept;
  /// Whether no job is started, not even in the background.
  bool idle() const noexcept;
  /// Blocks until the observer has been called for all finished jobs.
  void wait_until_observed() const noexcept;
  /// To be called when the handlers have changed; `overruns`: whether one of them is for overruns.
  void handlers_changed(bool overruns) noexcept;
  /// Stops all starts, and keeping the time.
  void halt() noexcept;
  /// Undoes a stop().
  void forget_stop() noexcept { gate_.open(Gate::stopping); }

  // ---- looking ----------------------------------------------------------------------------------

  void set_observer(void (*observer)(void *, const FinishedJob &), void * context) noexcept;
  TaskTable::Name name(TaskId task) const noexcept;
  /// The task's name, for the thread that runs its job, inside a signal handler, too.
  const char * name_of_running(TaskId task) const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.name_of_running(task);  // the name exists as long as the job
  }
  model::TaskCounters counters(TaskId task) const;
  TaskStatus status(TaskId task) const;
  double utilisation(TaskId task) const;
  void add_to(Statistics & statistics) const noexcept;
  /// Adds the policy in use and the levels.
  void add_to(Grants & grants) const;

 private:
  /// What to wake once the lock is released.
  struct Wakes {
    os::Event * timekeeper = nullptr;
    Worker * worker = nullptr;
    const TaskTable::Entry * task = nullptr;  ///< the task whose job `worker` was given
    bool notices = false;
    bool idle = false;
    bool parked = false;  ///< workers whose job need not wait any longer
  };

  /// Makes the decision that an input may allow. To be called after every input. Adds to `wakes`.
  void dispatch(model::Time now, const Worker * self, Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  void switch_scenario() noexcept TAKT_REQUIRES(mutex_);
  bool may_start(Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  /// Defers starts until the last section ends or stops deferring; false if there is no section.
  /// `parked`: the worker whose job is not to begin; nullptr: a pending job is not to be started.
  bool defer_starts(model::Time now, const Worker * parked = nullptr) noexcept
      TAKT_REQUIRES(mutex_);
  /// When the worker's section stops deferring starts; model::never if it does not defer any now.
  model::Time expiry(const Worker & worker, model::Time now) const noexcept;
  /// Makes sections that have lasted too long stop deferring starts.
  void expire_sections(model::Time now, Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  model::Time next_instant() const noexcept TAKT_REQUIRES(mutex_) {
    return std::min(scheduler_.next_event(), expires_);
  }
  model::Release release_here(TaskId task, model::Time now, Wakes & wakes) noexcept
      TAKT_REQUIRES(mutex_);
  model::Release release_across(TaskId task) noexcept;
  void start(const model::Decision & decision, model::Duration took, const Worker * self,
             Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  /// Prefetches what the next jobs touch, while others run. Called on the CPU of this processor.
  void fetch_ahead(const Wakes & wakes) const noexcept TAKT_REQUIRES(mutex_);
  void raise(const model::Decision & decision, model::Time now) noexcept TAKT_REQUIRES(mutex_);

  // ---- tracing, in dispatcher_trace.cpp; only called with a trace.
  //
  // Called by the scheduler, so under the lock, which the analysis cannot know.
  static void trace_release(void * self, const model::ReleaseNotice & notice) noexcept
      TAKT_NO_THREAD_SAFETY_ANALYSIS;
  void trace_choice(const model::Decision & decision, const Worker * below) noexcept
      TAKT_REQUIRES(mutex_);
  void trace_raise(const model::Decision & decision, model::Time now) noexcept
      TAKT_REQUIRES(mutex_);
  void trace_finish(const Worker & worker, model::Time now, bool late, bool lowered) noexcept
      TAKT_REQUIRES(mutex_);
  void trace_notice(const model::Miss & miss) noexcept TAKT_REQUIRES(mutex_);
  void trace_notice(const model::Overrun &) noexcept {}
  void trace_notice(const model::Exhaustion & exhaustion) noexcept TAKT_REQUIRES(mutex_);
  void trace_expiry(const Worker & worker, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  void trace_scenario(model::Time now, model::Time asked) noexcept TAKT_REQUIRES(mutex_);
  void trace_mark(model::Time now, trace::Kind kind, std::uint8_t flags = 0) noexcept
      TAKT_REQUIRES(mutex_);
  void trace_lower(const model::Job & job, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  void run_at(Worker & worker, model::Level level) noexcept TAKT_REQUIRES(mutex_);
  Next next(model::Time now, Worker * self) noexcept TAKT_REQUIRES(mutex_);
  bool collect_notices() noexcept TAKT_REQUIRES(mutex_);
  bool all_done() const noexcept TAKT_REQUIRES(mutex_) {
    return scheduler_.idle() && scheduler_.lowered() == 0;
  }
  /// Measures the CPU time of the running job if its budget may be exhausted.
  void charge(model::Time now) noexcept TAKT_REQUIRES(mutex_);
  void lower(const model::Decision & decision, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  bool finish_lowered(Worker & worker, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  /// Wakes threads by one that is as urgent as any that it may keep waiting.
  void wake(const Wakes & wakes) noexcept;
  /// Wakes threads by one that may be less urgent, or on another CPU. As soon as it has unlocked, it
  /// may lose the CPU to anybody, and those that it has yet to wake would wait for it. With the lock
  /// it has the priority of whoever waits for that, the thread that keeps the time above all.
  void wake_locked(const Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  void post(const Wakes & wakes) noexcept;
  void post_parked() noexcept TAKT_REQUIRES(mutex_);
  void resume() noexcept;
  void wake_parked() noexcept;
  /// Gives workers whose jobs were moved by the last change of plan the levels of these jobs.
  void move_workers() noexcept TAKT_REQUIRES(mutex_);
  void end(RemovedTask & task) noexcept TAKT_REQUIRES(mutex_);
  /// Chooses the thread that keeps the time from now on.
  void choose_timekeeper() noexcept TAKT_REQUIRES(mutex_);
  /// The task's number in the model. Throws std::invalid_argument if there is no such task.
  model::TaskId task_in_model(TaskId task) const TAKT_REQUIRES(mutex_);

  mutable os::PiMutex mutex_{os::LockRank::dispatcher};
  Gate gate_;
  model::Scheduler scheduler_ TAKT_GUARDED_BY(mutex_);
  // The only worker, if the policy does not preempt; otherwise nullptr. Set while halted.
  Worker * single_worker_ = nullptr;
  Timekeeper timekeeper_;                                  // its comments say what needs the lock
  std::vector<Worker *> workers_ TAKT_GUARDED_BY(mutex_);  // indexed by level - 1
  std::vector<Worker *> spares_ TAKT_GUARDED_BY(mutex_);   // those without a level
  std::vector<Worker *> all_ TAKT_GUARDED_BY(mutex_);
  const model::Duration max_section_;
  // While starts are deferred: the instant at which the next section stops deferring them, and the
  // first task found whose job could otherwise start; `none` if none has been found.
  model::Time expires_ TAKT_GUARDED_BY(mutex_) = model::never;
  TaskId deferred_task_ TAKT_GUARDED_BY(mutex_) = TaskId::none;
  TaskTable tasks_ TAKT_GUARDED_BY(mutex_);
  const bool time_decisions_;
  const bool measures_use_;
  const std::shared_ptr<trace::Recorder> recorder_;
  trace::Ring * trace_ TAKT_PT_GUARDED_BY(mutex_) = nullptr;
  // The instant of the input being processed, for the trace.
  model::Time now_ TAKT_GUARDED_BY(mutex_) = 0;
  Listeners listeners_;
  void (*observer_)(void *, const FinishedJob &) = nullptr;  // set before spinning
  void * observer_context_ = nullptr;
  std::atomic<int> observing_ = 0;  // finished jobs of which the observer is being told
  DispatchCounters counters_ TAKT_GUARDED_BY(mutex_);
  SpinTime spin_time_ TAKT_GUARDED_BY(mutex_);
  ScenarioRequest request_;

  std::vector<Worker *> moving_ TAKT_GUARDED_BY(mutex_);  // used while workers are moved
  RemovedTasks removed_tasks_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
