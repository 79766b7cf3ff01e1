// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/executor/changes.hpp"
#include "takt_core/executor/entity.hpp"
#include "takt_core/executor/footprint.hpp"
#include "takt_core/executor/ids.hpp"
#include "takt_core/executor/options.hpp"
#include "takt_core/executor/scenario.hpp"
#include "takt_core/executor/task_status.hpp"
#include "takt_core/model/scheduler.hpp"
#include "takt_core/trace/ring.hpp"

namespace takt::executor {

/// A job, as passed to its function. Instants are those of CLOCK_MONOTONIC, in ns.
struct JobInfo {
  TaskId task = TaskId::none;
  std::uint64_t index = 0;              ///< see model::Job
  model::Time release = 0;              ///< the nominal release, not when it was noticed
  model::Time start = 0;                ///< read before the job's inputs are delivered
  model::Time deadline = model::never;  ///< absolute; `never` if the task has none
  /// How long it took to choose this job among those that could start, in ns; -1 unless
  /// Options::time_decisions is set.
  model::Duration decision = -1;
  /// When the oldest of the job's inputs with a `max_age` was published; -never if one of them has
  /// no data yet, `never` if there are no such inputs.
  model::Time oldest_input = model::never;
  /// Whether an input is older than its `max_age` and could not be refreshed.
  bool stale = false;

  /// The age of `oldest_input` when the job started, in ns; `never` if an input has no data yet, -1
  /// if no input has a `max_age`.
  model::Duration data_age() const noexcept {
    if (oldest_input == model::never) return -1;
    return oldest_input == -model::never ? model::never : start - oldest_input;
  }
};

/// The function of a task. It runs one job on a worker thread, and never two jobs of one task at
/// the same time. It may throw (see OnException) but must not block. The object that `context`
/// points to must exist until the last job of the task has finished. The processor does not own it:
/// pass its owner to remove_task() as `keep`, to have it destroyed then.
struct JobFunction {
  void (*invoke)(void * context, const JobInfo & job) = nullptr;  ///< called on a worker
  void * context = nullptr;                                       ///< passed to `invoke`
  Footprint footprint = {};  ///< the memory that it touches first, for prefetching
};

/// A finished job, as passed to the function of Processor::set_observer() on the worker's thread,
/// without the processor's lock.
struct FinishedJob {
  JobInfo info;
  model::Time finish = 0;  ///< an instant of CLOCK_MONOTONIC, in ns
  /// Execution time, in ns. For a task with a budget: the CPU time of its thread. Otherwise the
  /// time from start to finish, less the jobs that preempted it, by the executor's own time stamps;
  /// so it includes the time that other threads of the CPU took.
  model::Duration execution = 0;
  bool late = false;  ///< it finished after its deadline
};

/// Counters over all spins since the processor was created. May be read while it spins.
struct Statistics {
  std::uint64_t jobs = 0;               ///< finished jobs
  std::uint64_t decisions = 0;          ///< times that the scheduler was asked which job may start
  std::uint64_t deferred = 0;           ///< starts deferred because of a middleware section
  std::int64_t longest_section_ns = 0;  ///< the longest middleware section
  std::uint64_t overlong_sections = 0;  ///< sections longer than Options::max_section
  std::uint64_t entity_waits = 0;    ///< times a job waited for an entity in use by another thread
  std::int64_t longest_wait_ns = 0;  ///< the longest of these waits
  std::uint64_t blocked_callbacks = 0;  ///< times a worker was found blocked inside a callback
  /// Times a callback was found that had not returned for Options::watchdog_interval or longer.
  std::uint64_t unreturned_callbacks = 0;
  std::uint64_t exceptions = 0;  ///< exceptions that left a job or a handler
  /// Misses, overruns and exhausted budgets that are counted but were not passed to a handler,
  /// which was too slow.
  std::uint64_t unreported = 0;
  /// Times that a new application state re-ranked the pending jobs.
  std::uint64_t reranked = 0;
  /// Overruns and exhausted budgets.
  model::LoadCounters loads = {};
  /// Refreshes, extra releases and stale inputs.
  model::AgeCounters ages = {};
  /// Releases by jobs of other processors.
  std::uint64_t crossings = 0;
  /// The longest time that such a release waited for this processor's lock.
  std::int64_t longest_lock_wait_ns = 0;
  /// The longest time that such a release held this processor's lock.
  std::int64_t longest_lock_hold_ns = 0;
  /// The active scenario.
  model::ScenarioId scenario = model::base_scenario;
  /// Switches of scenario that have taken effect.
  std::uint64_t scenario_switches = 0;
  /// Requests replaced by a later one before they took effect.
  std::uint64_t scenario_requests_overwritten = 0;
  /// From the last request for a scenario to its effect.
  std::int64_t last_switch_ns = 0;
  /// The longest time from a request for a scenario to its effect.
  std::int64_t longest_switch_ns = 0;
};

/// One CPU with a worker thread per preemption level, a timer thread above them, and the scheduler
/// whose decisions they carry out. Under a preemptive policy the worker of the highest level
/// releases the jobs while it has none to run; with handlers or budgets the timer thread does.
/// Under a non-preemptive policy, and under every policy without real-time rights, there is one
/// worker, which sleeps until the next release.
///
/// A job is called *started* from its start to its finish, including the time in which it is
/// preempted, and *pending* from its release to its start.
class Processor {
 public:
  /// Checks the options and throws std::invalid_argument. Allocates; starts no thread.
  explicit Processor(Options options);
  /// Stops and joins the threads; blocks until started jobs have finished. Must not be called from
  /// one of the processor's own threads.
  ~Processor();
  Processor(const Processor &) = delete;
  Processor & operator=(const Processor &) = delete;

  // ---- tasks ------------------------------------------------------------------------------------

  // Members that change tasks allocate and may be called from any thread, callbacks included, also
  // while the processor spins. The calling thread makes a plan of the new state, and the processor
  // switches to that plan at once, without waiting for started jobs. These finish with their old
  // parameters. No job is delayed by a change for longer than by a decision: the work under the
  // processor's lock grows with the number of started and pending jobs, not with the number of
  // tasks. Changes are made one at a time. All throw std::invalid_argument; std::system_error if a
  // worker thread is needed and cannot be created; std::length_error for too many tasks. A change
  // that throws has no effect, except that a task that was to be removed has no jobs any more.

  /// Makes several changes that take effect together. Does not wait for jobs of removed tasks: the
  /// caller can, by the result.
  Departures change(const std::function<void(Changes &)> & edit);
  /// Adds a group of tasks and returns its number.
  GroupId add_group(model::Group group);
  /// Removes a group, which must have no task.
  void remove_group(GroupId group);
  /// Adds a task and returns its number: see Changes::add_task().
  TaskId add_task(model::Task task, JobFunction function, GroupId group = GroupId::none);
  /// Removes a task, and blocks until a job of it that has started has finished; no further job
  /// starts. In a callback of this processor, and under NonblockingRemoval, it does not wait: a
  /// started job, perhaps that of the caller, finishes later. When no job of the task runs any
  /// more, `keep` is destroyed by a thread that may block: pass the owner of what the function
  /// needs.
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);

  /// Sets which channels the tasks read and publish. A task that is not named reads and publishes
  /// nothing; tasks that no longer exist are ignored. Tasks, their counters and their pending jobs
  /// stay.
  void set_data_flow(const std::map<TaskId, model::DataFlow> & data);

  /// While an object of this class exists, the calling thread does not wait for jobs of tasks that
  /// it removes, as if it were inside a callback. For threads that hold something that a callback
  /// may be waiting for. Nests.
  class NonblockingRemoval {
   public:
    NonblockingRemoval() noexcept;
    ~NonblockingRemoval();
    NonblockingRemoval(const NonblockingRemoval &) = delete;
    NonblockingRemoval & operator=(const NonblockingRemoval &) = delete;
    /// Whether the calling thread has such an object.
    static bool active() noexcept;
  };

  // ---- running ----------------------------------------------------------------------------------

  /// Replaces the policy by the built-in one of that name, or by the one that `make` creates (see
  /// Options). Tasks, counters and pending jobs stay. Any thread; allocates. Throws
  /// std::logic_error while the processor spins, std::invalid_argument for an unknown policy; the
  /// old policy stays then.
  void set_policy(std::string name, MakePolicy make = nullptr);
  /// Sets t0, the origin of the release grid, an instant of CLOCK_MONOTONIC. Default: the time of
  /// the first spin(). For threads, allocation and exceptions see the members that change tasks.
  void set_start(model::Time t0);
  /// Runs jobs until stop() is called; the calling thread blocks. Rethrows an exception of a
  /// callback (see OnException). Throws std::logic_error if the processor spins already,
  /// std::system_error if threads cannot be created. May be called again; the release grid
  /// continues.
  void spin();
  /// Ends spin(): started jobs finish, pending ones remain pending. Any thread, callbacks included;
  /// async-signal-safe. If the processor does not spin, the next spin() returns at once.
  void stop() noexcept;

  /// With `true`, only tasks of clients have jobs from now on, also in later spins, until called
  /// with `false`. Other jobs that are released and not started are dropped; started jobs finish.
  /// Any thread; takes the processor's lock, O(n), does not allocate.
  void set_quiescent(bool quiescent) noexcept;
  /// Whether all started jobs have finished. Any thread; takes the processor's lock.
  bool idle() const noexcept;

  /// Releases a job of a task that is not a timer, now. No effect on a timer or a task that does
  /// not exist: returns `skipped`, which is not counted. Any thread, the middleware's included;
  /// takes the processor's lock (with priority inheritance), does not allocate.
  model::Release release(TaskId task) noexcept;

  /// Sets the next release of a timer with a grid of its own (model::Task::own_grid): `first`, an
  /// instant of CLOCK_MONOTONIC, and then every period; model::never stops the timer until it is
  /// restarted. A job that is already released stays. Where a scenario gives such a timer a phase,
  /// the timer follows the processor's grid, and has no release within a period of its last
  /// `reset`: see model::Scheduler::restart(). No effect on other tasks. Any thread; takes the
  /// processor's lock, does not allocate.
  void restart(TaskId task, model::Time first, model::Time reset = -model::never) noexcept;

  /// Replaces the handlers; on return one of the old ones may still be running. Any thread; never
  /// waits for jobs. Allocates. While the processor spins it may start the handler thread, and
  /// throws std::system_error if that cannot be created.
  void set_handlers(Handlers handlers);

  /// Passes a new application state to the policy. Any thread; takes the processor's lock;
  /// allocates only outside it.
  void set_state(model::ApplicationState state);

  // ---- scenarios --------------------------------------------------------------------------------

  /// Replaces all scenarios: their numbers count from 1, and model::base_scenario (0) means the
  /// tasks as they were added. If the base scenario was active, or one whose number no longer
  /// exists, `first` becomes active; that does not count as a requested switch. For threads,
  /// allocation and exceptions see the members that change tasks. Throws std::invalid_argument,
  /// without effect, also for a preemptive policy while the processor spins without preemption.
  void set_scenarios(const std::vector<Scenario> & scenarios,
                     model::ScenarioId first = model::base_scenario);
  /// See Changes::has_timings(). Any thread; allocates.
  bool has_timings(const std::vector<Scenario> & scenarios) const;
  /// Requests a scenario, which is active from the next decision on; that decision is made at once.
  /// Costs one atomic exchange and at most one wake-up. The last request wins. Any thread,
  /// callbacks included; neither allocates nor blocks. No effect if there is no scenario of that
  /// number.
  void request_scenario(model::ScenarioId scenario) noexcept;
  /// As above, for a request made at `when`, an instant of CLOCK_MONOTONIC that has passed. A
  /// request with an earlier instant does not replace one with a later instant, even if it arrives
  /// after it: this orders requests that are sent to several processors.
  void request_scenario(model::ScenarioId scenario, model::Time when) noexcept;
  /// The resolution of `when`, in ns: of requests closer together than this the first may win.
  static constexpr model::Duration request_resolution = 128;

  // ---- middleware sections ----------------------------------------------------------------------

  /// Guards a call into the middleware. While a job has a section open, the processor starts no
  /// other job, for three quarters of Options::max_section at most. A section with an entity has exclusive use of
  /// that entity among all threads: the constructor blocks while another thread uses the entity,
  /// and that thread inherits the priority of the waiting ones. Usually makes no system call;
  /// exceptions are a wait for the entity and a start that was deferred. Does not allocate.
  /// Sections nest, but not of the same entity. Any thread.
  class Section {
   public:
    /// A section without an entity; never blocks.
    Section() noexcept : Section(nullptr) {}
    /// A section with exclusive use of the entity, which must outlive it.
    explicit Section(Entity & entity) noexcept : Section(&entity) {}
    ~Section();
    Section(const Section &) = delete;
    Section & operator=(const Section &) = delete;

   private:
    explicit Section(Entity * entity) noexcept;
    void * worker_;
    Entity * entity_;
  };

  /// The job that the calling thread is running, or nullptr. Valid until that job's function
  /// returns.
  static const JobInfo * current_job() noexcept;
  /// The processor of which the calling thread is a worker, or nullptr.
  static Processor * current() noexcept;
  /// The trace ring of the job that the calling thread is running, for deliveries and publications;
  /// nullptr outside of jobs and without a trace. Costs some 2 ns.
  static trace::Ring * trace() noexcept;

  // ---- looking: any thread, takes the lock ------------------------------------------------------

  /// Whether spin() is running and its threads are ready. Takes no lock.
  bool spinning() const noexcept;
  /// What was requested and granted since spin() was last called. Allocates.
  Grants grants() const;
  /// The counters over all spins. Does not allocate.
  Statistics statistics() const;
  /// The counters of a task. Throws std::invalid_argument if there is no such task.
  model::TaskCounters counters(TaskId task) const;
  /// The counters, the current timing and the response times of a task. Throws
  /// std::invalid_argument if there is no such task.
  TaskStatus status(TaskId task) const;
  /// The share of the CPU that the task's jobs have had since the task was added, in the time that
  /// the processor was spinning. By the executor's own time stamps, so the time that other threads
  /// took of the CPU meanwhile is included. 0 unless Membership::measures_use is set. Throws
  /// std::invalid_argument if there is no such task.
  double utilisation(TaskId task) const;
  /// Sets a function to be called after every job, on its worker: one call may preempt another. It
  /// must not allocate or block. Set it before spinning; nullptr removes it. Takes the processor's
  /// lock.
  void set_observer(void (*observer)(void *, const FinishedJob &), void * context);
  /// Applies the priority plan to the middleware's threads, which are found by name. spin() does so
  /// when it begins, and the watchdog again while the processor spins. One thread at a time;
  /// allocates, reads /proc.
  void plan_middleware_threads();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace takt::executor
