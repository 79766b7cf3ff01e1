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
/// Number of a scenario of an executor; 0 is none: tasks as they were made.
using model::ScenarioId;

// Handlers are called on a thread of their own (`takt.handler`, at PriorityPlan::handler, above the
// callbacks, whose CPU time they use), one at a time, and are no jobs. They may ask for another
// scenario, give the policy a new state, publish, log, look, cancel() the executor or shut down,
// exchange handlers, allocate, and block for a short time, which holds up no callback: what comes
// meanwhile waits, and beyond 256 it is dropped and counted (Statistics::unreported). They should
// make and remove no nodes or callbacks, which waits for started jobs as it does from any thread that
// runs no callback, and must not spin or destroy the executor. What they throw follows
// SchedulingOptions::on_exception. spin() returns when the last one has. `callback` is
// "(removed)" where it has gone meanwhile.

/// A job has missed its deadline.
using MissHandler = std::function<void(const executor::Miss & miss, const std::string & callback)>;
/// A release has found the previous job of its task unfinished.
using OverrunHandler =
    std::function<void(const executor::Overrun & overrun, const std::string & callback)>;
/// A job has used up its budget.
using BudgetHandler =
    std::function<void(const executor::Exhaustion & exhaustion, const std::string & callback)>;

/// What an executor of whichever front end is made of. Read once, when it is made.
struct SchedulingOptions {
  /// May be exchanged later.
  SchedulingPolicy policy = "rm";
  /// The CPUs it runs on: a processor on each, with a timer thread and workers of its own. Empty:
  /// the first that the process may use, which is reported. Where each task runs: by hand
  /// (NodeOptions::processor and the like), else see SchedulingControls::rebalance().
  std::vector<int> cpus = {};
  /// The OS priorities of its threads and the middleware's: 1 to 99 under SCHED_FIFO.
  PriorityPlan plan = {};
  /// What becomes of an exception that leaves a callback or a handler.
  OnException on_exception = OnException::rethrow;
  /// Lock the process's memory (mlockall), once, when the executor is made, which then takes tens of
  /// milliseconds. Programs and libraries are brought in whole; what else is mapped stays from when it
  /// is first touched, so what is never used costs nothing, and what a callback allocates and touches
  /// for the first time costs it a page fault for each page.
  bool lock_memory = true;
  /// Stack of each thread that runs callbacks or handlers, in bytes, from 128 KiB to 4 GiB; 0: as much
  /// as an ordinary thread has (`ulimit -s`), 64 MiB where that is unlimited; takt's other threads, which
  /// call functions of the user too (on_pre_shutdown() and the like), have that. With real-time rights
  /// 2 MiB of it are there beforehand; who goes deeper takes a page fault for each page, the first
  /// time. A callback that uses up all of it is named before the process ends.
  std::size_t stack_size = 0;
  /// Of freed memory, how many bytes each of malloc's arenas keeps instead of giving them back to the
  /// kernel, for the whole process, from when spinning starts; larger pieces, and those above 32 MiB,
  /// have a mapping of their own. From 0 (as malloc does by itself) to 2,147,483,647. Has its use
  /// where megabytes come and go in jobs and memory is locked; what is kept is noted in the grants.
  std::int64_t kept_heap = 0;
  /// Time each decision for JobInfo::decision: two more reads of the clock per job.
  bool time_decisions = false;
  /// How much younger than its `max_age` what a timer reads must be when its job is chosen: what
  /// may pass until the job starts. At least 0.
  Duration age_margin = std::chrono::microseconds(100);
  /// For how long at most a callback that publishes, takes or calls a service keeps others, more
  /// urgent ones too, from starting: not preempted there, it holds no lock of the middleware for
  /// them to wait for. At least 0. Whoever uses the same publisher, subscription, service or client
  /// waits for it in any case, and lends it its priority.
  Duration max_section = std::chrono::microseconds(200);
  /// What threads are for that a middleware has and the priority plan does not know, by their names.
  /// Those that nobody knows stay as they are, which is noted in the grants.
  std::vector<executor::ThreadRule> thread_roles = {};
  /// Threads that callbacks start inherit the executor's CPU, and get what callbacks leave of it: let
  /// them use the CPUs of the process instead, within two seconds. Otherwise each name is said once, and
  /// once of those without a name of their own, which are called after the worker (`takt.w1`).
  bool widen_started_threads = false;
  /// Warnings, one line each, from threads that may wait; it may allocate and block. Default:
  /// standard error.
  std::function<void(const std::string &)> log = nullptr;
  /// A file for every decision of the executor, its deliveries and publications, to be looked at with
  /// `takt trace`; none if its name is empty. What is written, and its cost: trace::Recorder.
  TraceOptions trace = {};
  // May be exchanged later. nullptr: nobody is told, it is counted.
  MissHandler on_deadline_miss = nullptr;
  OverrunHandler on_overrun = nullptr;
  BudgetHandler on_exhausted_budget = nullptr;
  /// How it shows itself.
  Diagnostics diagnostics = {};
  /// Of nodes of rclcpp: for how long at most spin() goes on while pre-shutdown callbacks of its context
  /// are called, all of them together; above 0. A launcher that sent SIGINT kills after 5 s. For
  /// takt's nodes see InitOptions::pre_shutdown_limit.
  Duration pre_shutdown_limit = std::chrono::seconds(3);
};

namespace tasks {

/// Throws Error for a trace that cannot be written, and for diagnostics without a period.
executor::Options executor_options(const SchedulingOptions & options);

}  // namespace tasks

/// What there is to set and to see of an executor that schedules, whichever front end runs its nodes.
///
/// Thread-safe: every member may be called from any thread, in callbacks and while spinning unless
/// it says otherwise. Those that set up throw Error, allocate, and change tasks: no job waits for
/// that, and they wait for none but those, started already, of tasks that they remove. Inside a
/// callback, of whichever executor, they never wait; while another thread changes something, what it
/// asks for is done by that one, and if it is refused then, that is logged. Those that look take a lock with priority inheritance for a short
/// time.
class SchedulingControls {
 public:
  virtual ~SchedulingControls() = default;
  SchedulingControls(const SchedulingControls &) = delete;
  SchedulingControls & operator=(const SchedulingControls &) = delete;

  /// t0 of the grid, an instant of CLOCK_MONOTONIC in ns, within 2^60 of 0. Default: now, at the
  /// first spin(). A second call begins a new grid with index 0.
  void set_start(model::Time t0);

  /// Exchanges the policy; tasks, counters and pending jobs stay. Never waits for jobs. Throws
  /// Error while spinning, and for what is no policy; the old one stays then.
  void set_scheduling_policy(const SchedulingPolicy & policy);
  /// The thesis's form: true if the first job goes before the second.
  void set_scheduling_policy_function(SchedulingPolicy::Before before) {
    set_scheduling_policy(comparator_policy(std::move(before)));
  }
  /// Gives the policy another snapshot of the application's state, which ranks the pending jobs
  /// anew, O(n), if the policy uses it. Never waits for jobs; the form with a value allocates.
  void set_state(const model::ApplicationState & state);
  template <typename T>
  void set_state(T value) {
    set_state(model::ApplicationState::of(std::move(value)));
  }
  // nullptr: nobody is told, it is counted. The old one may still be running on return. Never wait
  // for jobs; while spinning they may start the handlers' thread, and throw std::system_error if
  // there can be none.

  /// A miss is noticed at the deadline itself; under a policy that does not preempt, or without
  /// real-time rights, at the end of the job that runs then.
  void on_deadline_miss(MissHandler handler);
  void on_overrun(OverrunHandler handler);
  /// Noticed likewise; what does not preempt is told when the job has ended.
  void on_exhausted_budget(BudgetHandler handler);

  // ---- several CPUs

  /// Chooses anew where each task runs that is not placed by hand: by worst fit, the largest first,
  /// of the share of a CPU that it declares to need (its WCET or budget by its period, in the
  /// scenario in which that is the most) or, where it declares nothing, has used so far. Callbacks
  /// that exclude each other count as one, and so do a timer that reads with a `max_age` and who
  /// refreshes what it reads.
  ///
  /// spin() does the same with tasks that came since it ended last; the others stay, unless what a
  /// strategy or a new task asks for is not possible then. A task that comes while it spins goes to
  /// its group's processor, else to where least is declared. Counters of a task that moves begin
  /// anew. Throws Error while spinning, and where those that must be together are placed apart.
  void rebalance();
  /// Where each task is, with what it declares and what was measured, in the order in which they
  /// came. Allocates.
  std::vector<TaskPlacement> placement() const;
  /// One for each CPU.
  std::size_t processor_count() const noexcept;
  /// What carries the schedule out on one CPU, for as long as the executor lives: grants and
  /// statistics of it alone. Throws Error unless `index` is below processor_count().
  const executor::Processor & processor(std::size_t index = 0) const;

  // ---- scenarios

  /// Its default scenario holds from now on; if it spins and has one of the name that holds, that
  /// one. Strategies of the executor's nodes add to it. Throws Error, and the old one stays, if it
  /// names a task or topic that there is not, or contradicts a node's. An executor without nodes
  /// checks that when spin() begins, and says so. nullptr: tasks are as they were made. A change of
  /// tasks.
  virtual void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy);
  /// The same from a YAML file, again while spinning, too: timing is tuned without compiling.
  /// Throws Error with file, line and key.
  void load_strategy(const std::string & path);
  /// Another scenario, from the next decision on: started jobs finish as they were, pending ones
  /// get its deadlines and rank. The last request before that wins. Neither waits nor allocates.
  /// Throws Error for an unknown name; a callback may also ask its node (Node::request_scenario).
  /// What became of it, how long it took, how many were overwritten: statistics().
  void request_scenario(std::string_view name);
  /// The same without a look-up: never throws, allocates, or takes a lock. No effect for a number
  /// that scenario_number() did not return; one whose scenario is gone means the default.
  void request_scenario(ScenarioId number) noexcept;
  /// Throws Error for an unknown name. It stays the number of that name.
  ScenarioId scenario_number(std::string_view name) const;
  /// The name of the one that holds; empty if there is none. While a switch is under way on several
  /// CPUs: on the first. Allocates.
  std::string scenario() const;

  // ---- looking

  /// What was asked for and what was granted, of all processors; of threads, since the last spin()
  /// began. Allocates. Of several, see executor::Processors::grants().
  Grants grants() const;
  /// Since the executor was made, of all processors: sums, and of lengths of time the longest.
  /// Allocates nothing.
  Statistics statistics() const;
  /// Nothing unless SchedulingOptions::trace names a file. It is complete when it has been
  /// closed, which the end of the executor does at the latest.
  std::shared_ptr<trace::Recorder> trace() const noexcept;
  /// Of a callback by its identifier `node/name`, since it became a task. Throws Error if there is
  /// none, or it has no releases of its own. Allocates.
  model::TaskCounters counters(const std::string & callback) const;
  /// The identifiers of all tasks with the numbers that JobInfo shows, in their order. to_number() of
  /// one is that in a trace. Allocates.
  virtual std::vector<std::pair<executor::TaskId, std::string>> tasks() const;

 protected:
  explicit SchedulingControls(std::shared_ptr<tasks::TaskRegistry> registry)
      : registry_(std::move(registry)) {}
  const std::shared_ptr<tasks::TaskRegistry> registry_;
};

}  // namespace takt
