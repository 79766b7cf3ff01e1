// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "takt_core/executor/options.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/model/application_state.hpp"
#include "takt_core/tasks/diagnostics.hpp"
#include "takt_core/tasks/duration.hpp"
#include "takt_core/tasks/policy.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "takt_core/tasks/task_placement.hpp"

namespace takt {

namespace tasks {
class TaskRegistry;
}

using executor::Grants;
using executor::OnException;
using executor::PriorityPlan;
using executor::Statistics;
using TraceOptions = trace::Options;
/// The number of a scenario of an executor; 0: no scenario, tasks as they were created.
using model::ScenarioId;

// Handlers are called one at a time on a thread of their own (`takt.handler`, at
// PriorityPlan::handler, above the callbacks, so that they use CPU time of these). They are no
// jobs. They may request a scenario, set a state for the policy, publish, log, query the executor,
// cancel() it or shut down, replace handlers, allocate, and block for a short time, which delays no
// callback; meanwhile notices are queued, and beyond 256 dropped and counted
// (Statistics::unreported). They should not create or remove nodes or callbacks: that waits for
// started jobs, as it does on any thread that runs no callback. They must not spin or destroy the
// executor. Exceptions are treated as SchedulingOptions::on_exception says. spin() returns after
// the last handler has. `callback` is the identifier `node/name`, or "(removed)" if the callback no
// longer exists.

/// Called when a job has missed its deadline.
using MissHandler = std::function<void(const executor::Miss & miss, const std::string & callback)>;
/// Called when a release has found the previous job of its task unfinished.
using OverrunHandler =
    std::function<void(const executor::Overrun & overrun, const std::string & callback)>;
/// Called when a job has used up its budget of CPU time.
using BudgetHandler =
    std::function<void(const executor::Exhaustion & exhaustion, const std::string & callback)>;

/// The configuration of a SchedulingExecutor, of any front end. Read once, when it is created.
struct SchedulingOptions {
  /// The order of jobs; SchedulingControls::set_scheduling_policy() replaces it.
  SchedulingPolicy policy = "rm";
  /// The CPUs that the executor runs on: a processor on each, with a timer thread and workers of
  /// its own. Empty: the first CPU that the process may use; grants() tells which. Tasks are placed
  /// by hand (NodeOptions::processor and the like) or automatically, see
  /// SchedulingControls::rebalance().
  std::vector<int> cpus = {};
  /// The OS priorities of its threads and of the middleware's: SCHED_FIFO 1 to 99, or 0 for
  /// SCHED_OTHER.
  PriorityPlan plan = {};
  /// What to do with an exception that leaves a callback or a handler.
  OnException on_exception = OnException::rethrow;
  /// Whether to lock the process's memory (mlockall) when the executor is created, which then takes
  /// tens of milliseconds. Programs and libraries are read in completely; other mappings are locked
  /// as they are first touched, so unused memory costs nothing, and the first touch of memory that
  /// a callback allocates is a page fault per page.
  bool lock_memory = true;
  /// The stack size of each thread that runs callbacks or handlers, in bytes, from 128 KiB to 4
  /// GiB; 0 for the size of an ordinary thread (`ulimit -s`; 64 MiB if that is unlimited), which
  /// takt's other threads have: they call functions of the user, too (on_pre_shutdown() and the
  /// like). With real-time rights 2 MiB of the stack are touched in advance; beyond that, the first
  /// touch of each page is a page fault. If a callback overflows its stack, it is named before the
  /// process ends.
  std::size_t stack_size = 0;
  /// How many bytes of freed memory each malloc arena keeps rather than return them to the kernel,
  /// for the whole process, from the start of spinning; from 0 (malloc's own behaviour) to
  /// 2,147,483,647. Larger blocks, and those above 32 MiB, get a mapping of their own. Useful where
  /// jobs allocate and free megabytes and memory is locked; grants() contains the result.
  std::int64_t kept_heap = 0;
  /// Whether to measure how long each decision takes, for JobInfo::decision. Costs two more reads
  /// of the clock per job.
  bool time_decisions = false;
  /// The margin of the data age check, at least 0: a message that a timer reads must be this much
  /// younger than its `max_age` when the job is chosen, to allow for the time until the job starts.
  Duration age_margin = std::chrono::microseconds(100);
  /// The longest time by which a callback that publishes, takes or calls a service delays the start
  /// of other callbacks, also of more urgent ones; at least 0. For three quarters of it the callback
  /// is not preempted, so that no other callback has to wait for a lock of the middleware that it
  /// holds; the rest is for the switch to the other callback's thread. A callback that uses the same
  /// publisher, subscription, service or client waits for it in any case, and lends it its priority.
  Duration max_section = std::chrono::microseconds(200);
  /// Roles of threads of a middleware that the priority plan does not know, by their names. Threads
  /// without a known role are left as they are; grants() notes them.
  std::vector<executor::ThreadRule> thread_roles = {};
  /// What to do with threads started by callbacks. They inherit the executor's CPU and get what the
  /// callbacks leave of it. With true they may use all CPUs of the process, within two seconds;
  /// with false a warning names each name once, and once those without a name of their own, which
  /// are called after the worker (`takt.w1`).
  bool widen_started_threads = false;
  /// Receives warnings, one line each, on threads that may block; it may allocate and block.
  /// Default: standard error.
  std::function<void(const std::string &)> log = nullptr;
  /// The trace file for every decision of the executor, its deliveries and publications, to be
  /// viewed with `takt trace`; no trace if the file name is empty. Format and cost: see
  /// trace::Recorder.
  TraceOptions trace = {};
  // The handlers; SchedulingControls replaces them. nullptr: events are only counted.
  MissHandler on_deadline_miss = nullptr;
  OverrunHandler on_overrun = nullptr;
  BudgetHandler on_exhausted_budget = nullptr;
  /// What the executor reports about itself.
  Diagnostics diagnostics = {};
  /// For nodes of rclcpp: for how long spin() goes on, in total, while pre-shutdown callbacks of
  /// its context are called; above 0. A launcher that has sent SIGINT kills after 5 s. For nodes of
  /// takt see InitOptions::pre_shutdown_limit.
  Duration pre_shutdown_limit = std::chrono::seconds(3);
};

namespace tasks {

/// The options of the processors. Throws Error for a trace that cannot be written and for a
/// diagnostics period out of range. Blocks if it opens a trace; allocates.
executor::Options executor_options(const SchedulingOptions & options);

}  // namespace tasks

/// The settings and the state of a SchedulingExecutor, whichever front end its nodes have.
///
/// Thread-safe: unless noted otherwise, every member may be called from any thread, in callbacks
/// and while spinning. Set-up members throw Error, allocate, and make a change of tasks: no job
/// waits for it, and the call waits only for started jobs of tasks that it removes. Inside a
/// callback of any executor it never waits: if another thread is making a change, that thread
/// carries out this one too, and logs an error if it is refused. Query members take a lock
/// with priority inheritance for a short time.
class SchedulingControls {
 public:
  virtual ~SchedulingControls() = default;
  SchedulingControls(const SchedulingControls &) = delete;
  SchedulingControls & operator=(const SchedulingControls &) = delete;

  /// Sets t0, the origin of the release grid: an instant of CLOCK_MONOTONIC in ns, within 2^60 of
  /// 0. Default: the time of the first spin(). A second call begins a new grid with index 0.
  void set_start(model::Time t0);

  /// Replaces the policy; tasks, counters and pending jobs stay. Never waits for jobs. Throws Error
  /// while spinning and for an unknown policy; the old one stays then.
  void set_scheduling_policy(const SchedulingPolicy & policy);
  /// Sets a comparator as policy, as in the thesis: whether the first job goes before the second.
  void set_scheduling_policy_function(SchedulingPolicy::Before before) {
    set_scheduling_policy(comparator_policy(std::move(before)));
  }
  /// Passes a new snapshot of the application's state to the policy, which re-ranks the pending
  /// jobs, O(n), if the policy uses it. Never waits for jobs; the form with a value allocates.
  void set_state(const model::ApplicationState & state);
  template <typename T>
  void set_state(T value) {
    set_state(model::ApplicationState::of(std::move(value)));
  }
  // ---- handlers: nullptr removes one, and events are only counted. The old handler may still be
  // running on return. These members never wait for jobs; while spinning they may start the handler
  // thread, and throw std::system_error if that cannot be created.

  /// Sets the handler of deadline misses. A miss is noticed at the deadline itself; under a
  /// non-preemptive policy or without real-time rights, at the end of the job that is running then.
  void on_deadline_miss(MissHandler handler);
  /// Sets the handler of overruns.
  void on_overrun(OverrunHandler handler);
  /// Sets the handler of exhausted budgets. They are noticed when the budget is used up; under a
  /// non-preemptive policy or without real-time rights, when the job has finished.
  void on_exhausted_budget(BudgetHandler handler);

  // ---- several CPUs

  /// Places all tasks anew that are not placed by hand: by worst-fit decreasing, by the share of a
  /// CPU that a task declares to need (its WCET or budget divided by its period, in the scenario in
  /// which that is greatest) or, if it declares nothing, has used so far. Callbacks that exclude
  /// each other are placed as one, and so are a timer that reads with a `max_age` and the task that
  /// refreshes the data.
  ///
  /// spin() does the same with tasks that were added since it last ended; the others stay unless a
  /// strategy or a new task makes that impossible. A task that is added while spinning goes to its
  /// group's processor, else to the one with the least declared utilisation. The counters of a task
  /// that moves begin anew. Throws Error while spinning, and if tasks that must be together are
  /// placed apart by hand.
  void rebalance();
  /// The placement of the tasks with their declared and measured utilisation, in the order in which
  /// the tasks were added. Allocates.
  std::vector<TaskPlacement> placement() const;
  /// The number of processors: one per CPU.
  std::size_t processor_count() const noexcept;
  /// The processor of one CPU, for its own grants and statistics; valid as long as the executor.
  /// Throws Error unless `index` is below processor_count().
  const executor::Processor & processor(std::size_t index = 0) const;

  // ---- scenarios

  /// Sets the strategy. A scenario with the name of the active one stays active. If there is none,
  /// the default scenario becomes active; while the executor does not spin, it does so also if the
  /// name of the default scenario has changed. Strategies of the executor's nodes add to it. Throws
  /// Error, without effect, if it names a task or topic that does not exist or contradicts a node's
  /// strategy; an executor without nodes logs that this is checked when spin() begins. nullptr: the
  /// tasks are as they were created. This is a change of tasks (see the class).
  virtual void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy);
  /// Sets the strategy from a YAML file; may be repeated, also while spinning, to tune timing
  /// without compiling. Throws Error with file, line and key. Blocks to read the file.
  void load_strategy(const std::string & path);
  /// Requests a scenario, which is active from the next decision on: started jobs finish with their
  /// old parameters, pending ones get the new deadlines and ranks. The last request before that
  /// decision wins. Neither waits nor allocates. Throws Error for an unknown name. A callback may
  /// also use Node::request_scenario(). statistics() has the switches, their latency and the number
  /// of requests overwritten.
  void request_scenario(std::string_view name);
  /// As above, without looking up a name: never throws, allocates or takes a lock. No effect for a
  /// number that scenario_number() has not returned; the number of a scenario that no longer exists
  /// means the default one.
  void request_scenario(ScenarioId number) noexcept;
  /// The number of a scenario, which never changes. Throws Error for an unknown name.
  ScenarioId scenario_number(std::string_view name) const;
  /// The name of the active scenario; empty if there is none. During a switch on several CPUs: that
  /// of the first one. Allocates.
  std::string scenario() const;

  // ---- looking

  /// What was requested and what was granted, for all processors; for threads, since the last
  /// spin() began. With several processors see executor::Processors::grants(). Allocates.
  Grants grants() const;
  /// The statistics since the executor was created: sums over all processors, and maxima of
  /// durations. Does not allocate.
  Statistics statistics() const;
  /// The trace; nullptr unless SchedulingOptions::trace names a file. The file is complete once the
  /// trace is closed, which the executor's destructor does at the latest.
  std::shared_ptr<trace::Recorder> trace() const noexcept;
  /// The counters of a callback, by its identifier `node/name`, since it became a task. Throws
  /// Error if there is none, or if it has no releases of its own. Allocates.
  model::TaskCounters counters(const std::string & callback) const;
  /// The tasks with the numbers that JobInfo contains, in order of these. to_number() gives the
  /// number that a trace contains. Allocates.
  virtual std::vector<std::pair<executor::TaskId, std::string>> tasks() const;

 protected:
  explicit SchedulingControls(std::shared_ptr<tasks::TaskRegistry> registry)
      : registry_(std::move(registry)) {}
  const std::shared_ptr<tasks::TaskRegistry> registry_;
};

}  // namespace takt
