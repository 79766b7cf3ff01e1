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

/// How many workers there are, or may be needed.
struct WorkerCount {
  model::Level levels = 1;  ///< one for each
  std::size_t spares = 0;   ///< to take the level of one whose job goes on in the background
  bool covers(const WorkerCount & other) const noexcept {
    return levels >= other.levels && spares >= other.spares;
  }
};

/// The scheduler under its lock, and the carrying out of its decisions: gives jobs to workers and
/// tells the thread that keeps the time when it has to wake. Whoever brings an input decides at
/// once; threads are woken after the lock is released.
class Dispatcher {
 public:
  /// Who is to be told of what. All of them live as long as the dispatcher's users.
  struct Listeners {
    os::Event & timer;  ///< of the timer thread
    os::Event & idle;   ///< nothing is started any more, after stop()
    NoticeHandler & notices;
    /// There are as many levels now; as many more were merged. Under the lock; must not throw.
    std::function<void(model::Level levels, std::size_t merged)> levels;
    /// The worker's thread is to run at the OS priority of this level, 0 for the background. Under
    /// the lock; must not throw.
    std::function<void(Worker &, model::Level)> run_at;
  };

  Dispatcher(model::Setup & setup, const Options & options, Listeners listeners);
  /// All workers there may ever be, by level - 1, but for spare ones, of which there are none now;
  /// whether they have threads is another matter. Only while none has a job.
  void set_workers(std::vector<Worker *> workers);
  void add_spare(Worker & worker);

  // ---- inputs, while spinning: no allocation, never throws --------------------------------------

  /// What the calling thread does next.
  struct Next {
    bool job = false;                  ///< run the job it was given
    model::Time until = model::never;  ///< else wait, until then at the latest
  };
  /// The job of `worker` has ended.
  Next finish(Worker & worker) noexcept;
  /// Releases what is due. For the thread that keeps the time, `self` if it is a worker's; another
  /// one may look, too, and has no instant to wait for.
  Next keep_time(Worker * self) noexcept;
  /// What is due is looked at soon, even if the worker that keeps the time has had a job for long.
  /// Any thread.
  void look_soon() noexcept { timekeeper_.look_soon(); }
  /// Whether this worker keeps the time.
  bool kept_by(const Worker & worker) const noexcept { return timekeeper_.worker() == &worker; }
  model::Release release(TaskId task) noexcept;
  void restart(TaskId task, model::Time first, model::Time reset) noexcept;
  void set_state(model::ApplicationState state) noexcept;
  void set_quiescent(bool quiescent) noexcept;

  // ---- middleware sections, from a worker that runs a job ---------------------------------------

  void enter_section() noexcept {
    if (alone_ == nullptr) gate_.enter_section();
  }
  void leave_section() noexcept {
    if (alone_ == nullptr && gate_.leave_section()) resume();
  }
  /// The worker, whose job is in the background, enters or has left a section: it is more urgent than
  /// all others as long as it holds them back.
  void hurry(Worker & worker) noexcept;
  /// A worker that was just given a job asks whether it must wait, because a section was entered on
  /// another CPU at the same moment: until then at the latest, when it asks again; its event is posted
  /// if it must wait no longer.
  bool must_park(Worker & worker, model::Time & until) noexcept;
  /// Its job was to begin at once, and must wait now.
  void put_off(Worker & worker) noexcept;

  // ---- changes, for the planner: one at a time --------------------------------------------------

  /// A task that goes.
  struct Leaving {
    Leaving(model::TaskId in_model, std::string id, std::shared_ptr<void> needed,
            bool is_waited_for)
        : task(in_model),
          callback(std::move(id)),
          waited_for(is_waited_for),
          keep(std::move(needed)) {}
    const model::TaskId task;  ///< as the scheduler calls it
    const std::string callback;
    const bool waited_for;  ///< by who asked for it, and destroys what is kept
    std::shared_ptr<void> keep;
    bool started = false;            ///< one of its jobs, when it was retired
    os::Event ended;                 ///< posted when that has ended
    std::atomic<bool> over = false;  ///< no job of it is started; set under the lock

   private:
    friend class Dispatcher;
    TaskTable::Name name;
    std::shared_ptr<Leaving> next;
  };
  /// The task has no releases any more, and no pending jobs. True if one of its jobs is started.
  bool retire(const std::shared_ptr<Leaving> & task);
  /// Takes those away that have no started job any more, as the scheduler calls them. Allocates.
  std::vector<model::TaskId> take_ended(std::vector<model::TaskId> & tasks);
  /// What tasks that nobody waited for left behind is destroyed by the caller, who may wait.
  void destroy_left();
  /// Whether a job of it is started, and it goes when that has ended.
  bool leaving(TaskId task) const noexcept;
  /// Whether the calling thread must not wait for a job of this processor.
  bool must_not_wait() const noexcept;

  /// Allocates; takes the lock for a moment. The rest goes on beside what the scheduler does: plans
  /// are made, and room for tasks, by one thread at a time.
  std::unique_ptr<model::Plan> make_plan(model::Setup & setup) TAKT_NO_THREAD_SAFETY_ANALYSIS;
  /// Takes no lock.
  TaskTable::Coming coming(model::TaskId in_model, const std::string & name,
                           const JobFunction & function) const TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.coming(in_model, name, function);
  }
  /// The plan is in force, and those that come have their functions, others new ones. There are the workers that it
  /// needs. The old one is left in it.
  void apply(std::unique_ptr<model::Plan> & plan, const std::vector<TaskTable::Coming> & coming,
             const std::vector<TaskTable::Coming> & renewed) noexcept;
  /// In force: for who makes the next one.
  const model::Plan & plan() const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return scheduler_.plan();  // nobody else exchanges it
  }
  /// As it runs.
  std::string policy() const {
    const os::Lock lock(mutex_);
    return scheduler_.plan().policy;
  }
  const Numbering & numbering() const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.numbering();  // for good
  }

  // ---- scenarios ---------------------------------------------------------------------------------

  /// Any thread; no lock. `when`: model::never for now.
  void request_scenario(model::ScenarioId scenario, model::Time when) noexcept;

  // ---- running ----------------------------------------------------------------------------------

  /// Only while halted. The plan does not preempt, the first worker keeps the time.
  void set_alone(bool alone) noexcept;
  /// Starts are allowed, and the time is kept, from now on.
  void go() noexcept;
  /// Async-signal-safe.
  void stop() noexcept;
  bool stopping() const noexcept { return (gate_.look() & Gate::stopping) != 0; }
  /// Of a worker that has a job.
  enum class Place : std::uint8_t { running, preempted, background };
  Place place(const Worker & worker) const noexcept;
  /// The job that would start next, and what keeps it, if it is the job of this worker.
  struct Kept {
    enum class By : std::uint8_t { level, group, no_preemption };
    TaskTable::Name task;  ///< nullptr: there is none, or it is not known
    By by = By::level;
  };
  Kept kept_by_job(const Worker & worker) const noexcept;
  /// Nothing is started, in the background neither.
  bool idle() const noexcept;
  /// Blocks until the observer has been told of all that has finished.
  void wait_until_observed() const noexcept;
  /// The functions of the handler have changed; whether one of them is told of overruns.
  void handlers_changed(bool overruns) noexcept;
  /// No more starts from now on, and nobody keeps the time.
  void halt() noexcept;
  /// Forgets a stop().
  void forget_stop() noexcept { gate_.open(Gate::stopping); }

  // ---- looking ----------------------------------------------------------------------------------

  void set_observer(void (*observer)(void *, const FinishedJob &), void * context) noexcept;
  TaskTable::Name name(TaskId task) const noexcept;
  /// By the thread that runs its job, inside a signal handler, too.
  const char * name_of_running(TaskId task) const noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    return tasks_.name_of_running(task);  // its name stays as long as the job
  }
  model::TaskCounters counters(TaskId task) const;
  TaskStatus status(TaskId task) const;
  double utilisation(TaskId task) const;
  void add_to(Statistics & statistics) const noexcept;
  /// Policy in use and levels.
  void add_to(Grants & grants) const;

 private:
  /// Whom to wake once the lock is released.
  struct Wakes {
    os::Event * timekeeper = nullptr;
    Worker * worker = nullptr;
    const TaskTable::Entry * task = nullptr;  ///< whose job `worker` was given
    bool notices = false;
    bool idle = false;
    bool parked = false;  ///< workers whose job must wait no longer
  };

  /// After every input: makes the one decision it may allow. Adds to `wakes`.
  void dispatch(model::Time now, const Worker * self, Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  void switch_scenario() noexcept TAKT_REQUIRES(mutex_);
  bool may_start(Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  /// Starts are put off until the last section ends or may hold nobody back any longer; false if
  /// there is none.
  bool put_off_starts(model::Time now) noexcept TAKT_REQUIRES(mutex_);
  /// When the worker's section holds back nobody any longer; model::never: it does not now.
  model::Time expiry(const Worker & worker, model::Time now) const noexcept;
  /// Sections that have lasted too long hold back nobody from now on.
  void expire_sections(model::Time now, Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  model::Time next_instant() const noexcept TAKT_REQUIRES(mutex_) {
    return std::min(scheduler_.next_event(), expires_);
  }
  model::Release release_here(TaskId task, model::Time now, Wakes & wakes) noexcept
      TAKT_REQUIRES(mutex_);
  model::Release release_across(TaskId task) noexcept;
  void start(const model::Decision & decision, model::Duration took, const Worker * self,
             Wakes & wakes) noexcept TAKT_REQUIRES(mutex_);
  /// By a thread of this processor's CPU: what the next jobs touch comes into its cache while
  /// others run.
  void fetch_ahead(const Wakes & wakes) const noexcept TAKT_REQUIRES(mutex_);
  void raise(const model::Decision & decision, model::Time now) noexcept TAKT_REQUIRES(mutex_);

  // Of the trace, in dispatcher_trace.cpp; only if there is one.
  // By the scheduler, so under the lock.
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
  /// Asks how much CPU time the running job has used, if its budget may have ended.
  void charge(model::Time now) noexcept TAKT_REQUIRES(mutex_);
  void lower(const model::Decision & decision, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  bool finish_lowered(Worker & worker, model::Time now) noexcept TAKT_REQUIRES(mutex_);
  void wake(const Wakes & wakes) noexcept;
  void resume() noexcept;
  void wake_parked() noexcept;
  /// Workers of started jobs that the last exchange moved have the levels of those now.
  void move_workers() noexcept TAKT_REQUIRES(mutex_);
  void end(Leaving & task) noexcept TAKT_REQUIRES(mutex_);
  /// A job has ended.
  void end_leaving() noexcept TAKT_REQUIRES(mutex_);
  /// Who keeps the time from now on.
  void choose_timekeeper() noexcept TAKT_REQUIRES(mutex_);
  /// Throws std::invalid_argument if there is none.
  model::TaskId task_in_model(TaskId task) const TAKT_REQUIRES(mutex_);

  mutable os::PiMutex mutex_{os::LockRank::dispatcher};
  Gate gate_;
  model::Scheduler scheduler_ TAKT_GUARDED_BY(mutex_);
  Worker * alone_ = nullptr;  // the policy does not preempt: the only worker. Set while halted
  Timekeeper timekeeper_;     // it says what is under the lock
  std::vector<Worker *> workers_ TAKT_GUARDED_BY(mutex_);  // by level - 1
  std::vector<Worker *> spares_ TAKT_GUARDED_BY(mutex_);   // without a level
  std::vector<Worker *> all_ TAKT_GUARDED_BY(mutex_);
  const model::Duration max_section_;
  // While a start is put off: the next section, and whose start.
  model::Time expires_ TAKT_GUARDED_BY(mutex_) = model::never;
  TaskId put_off_task_ TAKT_GUARDED_BY(mutex_) = TaskId::none;
  TaskTable tasks_ TAKT_GUARDED_BY(mutex_);
  const bool time_decisions_;
  const bool measures_use_;
  const std::shared_ptr<trace::Recorder> recorder_;
  trace::Ring * trace_ TAKT_PT_GUARDED_BY(mutex_) = nullptr;
  // Of the input that is being served, for the trace.
  model::Time now_ TAKT_GUARDED_BY(mutex_) = 0;
  Listeners listeners_;
  void (*observer_)(void *, const FinishedJob &) = nullptr;  // set before spinning
  void * observer_context_ = nullptr;
  std::atomic<int> observing_ = 0;  // jobs of which the observer is told
  DispatchCounters counters_ TAKT_GUARDED_BY(mutex_);
  SpinTime spin_time_ TAKT_GUARDED_BY(mutex_);
  ScenarioRequest request_;

  std::vector<Worker *> moving_ TAKT_GUARDED_BY(mutex_);      // while workers are moved
  std::shared_ptr<Leaving> leaving_ TAKT_GUARDED_BY(mutex_);  // and others after it
};

}  // namespace takt::executor
