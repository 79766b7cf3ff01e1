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

/// A job as its function sees it. Instants of CLOCK_MONOTONIC in ns.
struct JobInfo {
  TaskId task = TaskId::none;
  std::uint64_t index = 0;  ///< see model::Job
  model::Time release = 0;  ///< when it was meant to become ready, not when that was noticed
  model::Time start = 0;    ///< read before the job's inputs are delivered
  model::Time deadline = model::never;
  /// How long it took to choose this job among those that could start, ns; -1 unless
  /// Options::time_decisions.
  model::Duration decision = -1;
  /// When the oldest of its inputs with a `max_age` was published; -never if one has no data yet,
  /// `never` if there are no such inputs.
  model::Time oldest_input = model::never;
  /// An input is older than its `max_age`, and could not be refreshed.
  bool stale = false;

  /// The age of that input at the start of the job, ns; `never` if it has no data yet, -1 if there
  /// are no inputs with a `max_age`.
  model::Duration data_age() const noexcept {
    if (oldest_input == model::never) return -1;
    return oldest_input == -model::never ? model::never : start - oldest_input;
  }
};

/// Runs one job on a worker thread, never twice at a time for one task. May throw (see OnException);
/// what it may not do is block. No ownership is taken: the context must live until remove_task()
/// gives `keep` away.
struct JobFunction {
  void (*invoke)(void * context, const JobInfo & job) = nullptr;
  void * context = nullptr;
  Footprint footprint = {};  ///< what it touches first
};

/// A finished job, given to the observer on the worker's thread, outside the lock.
struct FinishedJob {
  JobInfo info;
  model::Time finish = 0;
  /// Of a task with a budget: the CPU time of its thread. Else from start to finish without the jobs
  /// that preempted it: its time on the CPU as far as the executor's own stamps tell, other threads
  /// of the CPU included.
  model::Duration execution = 0;
  bool late = false;
};

/// Counters that may be read while spinning. Since the processor was made, over all spins.
struct Statistics {
  std::uint64_t jobs = 0;               ///< finished
  std::uint64_t decisions = 0;          ///< how often it was asked which job may start
  std::uint64_t deferred = 0;           ///< starts put off because of a middleware section
  std::int64_t longest_section_ns = 0;  ///< the longest middleware section
  std::uint64_t overlong_sections = 0;  ///< that were longer than Options::max_section
  std::uint64_t entity_waits = 0;    ///< times a job waited for an entity that another thread used
  std::int64_t longest_wait_ns = 0;  ///< the longest of those
  std::uint64_t blocked_callbacks = 0;  ///< times a worker was found blocked inside a callback
  /// Times a callback was found that had not returned for Options::watchdog_interval or more.
  std::uint64_t unreturned_callbacks = 0;
  std::uint64_t exceptions = 0;  ///< that left a job or a miss handler
  std::uint64_t unreported =
      0;  ///< misses, overruns, budgets: counted, but the handler was too slow to be told of them
  std::uint64_t reranked = 0;      ///< times a new application state ranked the pending jobs anew
  model::LoadCounters loads = {};  ///< overruns and budgets
  model::AgeCounters ages = {};    ///< of inputs with a `max_age`
  std::uint64_t crossings = 0;     ///< releases by jobs of other processors
  std::int64_t longest_lock_wait_ns = 0;  ///< that such a release waited for this processor's lock
  std::int64_t longest_lock_hold_ns = 0;  ///< that it then held it
  model::ScenarioId scenario = model::base_scenario;  ///< that holds
  std::uint64_t scenario_switches = 0;
  std::uint64_t scenario_requests_overwritten = 0;  ///< by a later one, before they took effect
  std::int64_t last_switch_ns = 0;                  ///< from the request to its effect
  std::int64_t longest_switch_ns = 0;
};

/// One CPU with one worker per preemption level, a timer thread above them, and the scheduler they
/// carry out. Preemptive policies: the worker of the highest level makes the releases as long as it
/// has no job; where there are handlers or budgets, the timer thread. Non-preemptive ones, and every
/// policy without real-time rights: one worker that sleeps to the next release.
class Processor {
 public:
  /// Validates the options; throws std::invalid_argument. Starts no thread.
  explicit Processor(Options options);
  /// Stops and joins. Must not be called from one of its own threads.
  ~Processor();
  Processor(const Processor &) = delete;
  Processor & operator=(const Processor &) = delete;

  // ---- tasks ------------------------------------------------------------------------------------

  // Allocates; any thread, callbacks too; also while spinning: the calling thread makes a plan of
  // what there is then, and has it exchanged at once, whatever is started. Jobs that are started
  // finish as they were. No job waits for that longer than for a decision: what is done under the
  // processor's lock grows with the jobs that are started and pending, not with the tasks. Changes are
  // made one at a time. All throw std::invalid_argument; std::system_error if a worker's thread is
  // needed and cannot be had, std::length_error for too many tasks. Nothing has changed then, but that
  // a task which was to be removed has no jobs any more.

  /// Several at once: they come in force together. Waits for no job: the caller may, for those that go.
  Departures change(const std::function<void(Changes &)> & edit);
  GroupId add_group(model::Group group);
  /// The group must have no task.
  void remove_group(GroupId group);
  /// See Changes::add_task().
  TaskId add_task(model::Task task, JobFunction function, GroupId group = GroupId::none);
  /// On return no job of the task is or will be started: waits for the one that is. From inside a
  /// callback of this processor, and where Later is wanted, it does not wait: none will be started; one
  /// that is, which may be the caller, still ends. `keep` is destroyed, by a thread that may wait, when
  /// nothing of the task runs any more: give it what the function needs.
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);

  /// What tasks read and publish from now on; those that are not named, nothing, and those that are
  /// gone are left out. Tasks, their counters and pending jobs stay.
  void set_data_flow(const std::map<TaskId, model::DataFlow> & data);

  /// While it lives, the calling thread waits for no job of a task that it removes, as inside a
  /// callback: for who holds what a callback may be waiting for. Nests.
  class Later {
   public:
    Later() noexcept;
    ~Later();
    Later(const Later &) = delete;
    Later & operator=(const Later &) = delete;
    /// Whether the calling thread has one.
    static bool wanted() noexcept;
  };

  // ---- running ----------------------------------------------------------------------------------

  /// Exchanges the policy: for a built-in one's, or that which `make` makes, as in Options. Tasks,
  /// counters and pending jobs stay. Any thread; allocates. Throws std::logic_error while spinning,
  /// std::invalid_argument for what is no policy; the old one stays then.
  void set_policy(std::string name, MakePolicy make = nullptr);
  /// Sets t0 of the grid, an instant of CLOCK_MONOTONIC; the default is "now" at the first spin. A
  /// change like those above.
  void set_start(model::Time t0);
  /// Runs until stop(); the calling thread waits. Rethrows a callback's exception. Throws
  /// std::logic_error if it spins already, std::system_error if there can be no threads. May be
  /// called again; the grid goes on.
  void spin();
  /// Ends spin(): started jobs finish, pending ones stay. Any thread, also a callback;
  /// async-signal-safe. If it does not spin, the next spin() returns at once.
  void stop() noexcept;

  /// From now on, and in the next spin() too, until it is called with `false`: only tasks of clients
  /// have jobs. What else was released and has not started is forgotten; started jobs finish. Any
  /// thread; takes the lock, O(n), allocates nothing.
  void set_quiescent(bool quiescent) noexcept;
  /// Whether no job is started. Any thread; takes the lock.
  bool idle() const noexcept;

  /// A task that is not a timer was released now. Any thread, a middleware thread too; takes the
  /// processor's lock (priority inheritance), allocates nothing.
  model::Release release(TaskId task) noexcept;

  /// A timer with a grid of its own (model::Task::own_grid) is released next at `first`, an instant of
  /// CLOCK_MONOTONIC, then every period; model::never: not until it is restarted. A job that was
  /// released before stays. Another timer keeps to the grid, and so does this one where a scenario gives
  /// it a phase: there it is not released within a period of its last `reset`, see
  /// model::Scheduler::restart(). No effect on other tasks. Any thread; takes the lock, allocates
  /// nothing.
  void restart(TaskId task, model::Time first, model::Time reset = -model::never) noexcept;

  /// Exchanges the handlers; one of the old ones may still be running on return. Any thread; never
  /// waits for jobs. Allocates; while spinning it may start their thread, and throws
  /// std::system_error if there can be none.
  void set_handlers(Handlers handlers);

  /// New application state for the policy. Any thread; takes the lock, allocates nothing under it.
  void set_state(model::ApplicationState state);

  // ---- scenarios --------------------------------------------------------------------------------

  /// Replaces all scenarios; the first has the number 1, model::base_scenario is the tasks as they
  /// were added. A change like those of tasks. Throws std::invalid_argument, and nothing has changed
  /// then; also for a policy that preempts where the processor spins without preemption. `first`
  /// holds where base_scenario did, or one that is no longer there; that is no switch that was asked
  /// for.
  void set_scenarios(const std::vector<Scenario> & scenarios,
                     model::ScenarioId first = model::base_scenario);
  /// The scenario holds from the next decision on, which comes at once: one atomic exchange and at
  /// most one wake-up. The last request wins. Any thread, callbacks too; does not allocate or block.
  /// No effect if there is none of that number.
  void request_scenario(model::ScenarioId scenario) noexcept;
  /// The same as of `when`, an instant of CLOCK_MONOTONIC that has passed: one of an earlier instant
  /// does not overwrite it, even if it comes later. For who asks several processors.
  void request_scenario(model::ScenarioId scenario, model::Time when) noexcept;
  /// Instants of requests that are less apart than this may count as one, and then the first wins.
  static constexpr model::Duration request_resolution = 128;

  // ---- middleware sections ----------------------------------------------------------------------

  /// Around a call into the middleware. From inside a job the processor starts no other job while it
  /// is open, for Options::max_section at most. An entity that others may use, too, is the caller's
  /// alone meanwhile, on any thread: blocks while another has it, which inherits the priority of who
  /// waits. No system call otherwise unless a start was deferred. Nests, but not of one entity.
  class Section {
   public:
    Section() noexcept : Section(nullptr) {}
    explicit Section(Entity & entity) noexcept : Section(&entity) {}
    ~Section();
    Section(const Section &) = delete;
    Section & operator=(const Section &) = delete;

   private:
    explicit Section(Entity * entity) noexcept;
    void * worker_;
    Entity * entity_;
  };

  /// The job the calling thread is running, or nullptr. Valid until that job's function returns.
  static const JobInfo * current_job() noexcept;
  /// The processor whose worker the calling thread is, or nullptr.
  static Processor * current() noexcept;
  /// Where the job that the calling thread is running tells the trace what it takes and publishes;
  /// nullptr elsewhere and without a trace. Some 2 ns.
  static trace::Ring * trace() noexcept;

  // ---- looking: any thread, takes the lock ------------------------------------------------------

  /// True from when its threads are ready until spin() ends. Takes no lock.
  bool spinning() const noexcept;
  /// What was asked for and granted since it began to spin last. Allocates.
  Grants grants() const;
  Statistics statistics() const;
  /// Throws std::invalid_argument if there is no such task.
  model::TaskCounters counters(TaskId task) const;
  /// The same with what the task is now. Throws likewise.
  TaskStatus status(TaskId task) const;
  /// The share of the CPU that the task's jobs have had while the processor spun, since the task was
  /// added, by the executor's own stamps: other threads of the CPU included. 0 if that is not
  /// measured (Membership::measures_use). Throws std::invalid_argument if there is no such task.
  double utilisation(TaskId task) const;
  /// Called after every job on its worker, so one call may preempt another; set before spinning.
  /// It must not allocate or block. Takes the lock; nullptr ends it.
  void set_observer(void (*observer)(void *, const FinishedJob &), void * context);
  /// Applies the plan to the middleware's threads (found by name); spin() does it at its start and
  /// the watchdog again while spinning. One thread at a time; allocates, reads /proc.
  void plan_middleware_threads();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace takt::executor
