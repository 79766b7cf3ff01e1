// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "takt/context.hpp"
#include "takt/job.hpp"
#include "takt/node.hpp"
#include "takt_core/tasks/diagnostics.hpp"
#include "takt_core/tasks/scheduling_controls.hpp"

namespace takt {

namespace detail {
struct SpinUntil;
}  // namespace detail

/// Options of a SchedulingExecutor. They are read once, by its constructor. The same as
/// SchedulingOptions, with the context.
struct SchedulingExecutorOptions {
  /// The scheduling policy; SchedulingControls::set_scheduling_policy() replaces it.
  SchedulingPolicy policy = "rm";
  /// The numbers of the CPUs to run on. On each there is one processor, with a timer thread and workers
  /// of its own. Empty: the first CPU that the process may use, which is reported. A task runs on the
  /// processor that is given explicitly (NodeOptions::processor and the like); for the other tasks see
  /// SchedulingControls::rebalance().
  std::vector<int> cpus = {};
  /// The OS priorities of the executor's and the middleware's threads: 1 to 99 under SCHED_FIFO.
  PriorityPlan plan = {};
  /// What to do with an exception that leaves a callback or a handler.
  OnException on_exception = OnException::rethrow;
  /// Whether the constructor locks the memory of the process (mlockall), which takes tens of
  /// milliseconds. Programs and libraries are loaded completely. Other mappings are locked page by page
  /// when they are first touched (MCL_ONFAULT): unused memory costs nothing, but a callback that
  /// allocates memory and touches it for the first time takes a page fault for each page.
  bool lock_memory = true;
  /// The stack size of each thread that runs callbacks or handlers, in bytes, from 128 KiB to 4 GiB. 0:
  /// that of an ordinary thread (`ulimit -s`), or 64 MiB if that is unlimited. takt's other threads, some
  /// of which also call functions of the user (on_pre_shutdown() and the like), always have that size.
  /// With real-time rights, 2 MiB of each stack are touched in advance; deeper use takes a page fault
  /// per page, the first time. If a callback overflows its stack, its name is reported before the
  /// process ends.
  std::size_t stack_size = 0;
  /// How much freed memory each malloc arena keeps instead of returning it to the kernel, in bytes, from
  /// 0 (malloc's default behaviour) to 2,147,483,647. It applies to the whole process, from the start of
  /// spinning. Allocations that are larger than this, or than 32 MiB, have a mapping of their own. Useful
  /// if jobs allocate and free megabytes while memory is locked. The value in use is shown in grants().
  std::int64_t kept_heap = 0;
  /// Whether to measure how long each scheduling decision takes, for JobInfo::decision. Costs two more
  /// reads of the clock per job.
  bool time_decisions = false;
  /// The margin of the data age check: when a job is chosen, an input must be this much younger than its
  /// `max_age`, to allow for the time until the job starts. At least 0.
  Duration age_margin = std::chrono::microseconds(100);
  /// The longest time by which a callback that publishes, takes a message or calls a service delays the
  /// start of other callbacks, including more urgent ones. At least 0. For three quarters of it the callback
  /// is not preempted, because it may hold locks of the middleware, for which they would have to wait; the
  /// rest is for the switch to the other callback's thread. A callback that uses the same publisher,
  /// subscription, service or client waits for it in any case and lends it its priority.
  Duration max_section = std::chrono::microseconds(200);
  /// The roles of middleware threads that takt does not know, by thread name, for the priority plan.
  /// Unknown threads keep their priority, which is noted in grants().
  std::vector<executor::ThreadRule> thread_roles = {};
  /// What to do with a thread that a callback starts. It inherits the affinity to the executor's CPU and
  /// gets only the time there that callbacks leave. If true, it is allowed to use all CPUs of the
  /// process, within two seconds of its start. If false, a warning names it: once per thread name, and
  /// once for all threads that still have the name of the worker (`takt.w1`).
  bool widen_started_threads = false;
  /// Receives warnings, one line each. Called on threads that may wait, so it may allocate and block.
  /// Default: standard error.
  std::function<void(const std::string &)> log = nullptr;
  /// The file that records every decision of the executor, its deliveries and publications, to be
  /// examined by `takt trace`. No trace if its name is empty. See trace::Recorder for content and cost.
  TraceOptions trace = {};
  // Handlers of deadline misses, overruns and exhausted budgets; SchedulingControls can replace them.
  // If a handler is nullptr, the events are only counted.
  MissHandler on_deadline_miss = nullptr;
  OverrunHandler on_overrun = nullptr;
  BudgetHandler on_exhausted_budget = nullptr;
  /// The diagnostics that the executor publishes while it spins, and the services that it offers.
  Diagnostics diagnostics = {};
  /// The context whose shutdown ends spin(). Default (nullptr): the default context.
  std::shared_ptr<Context> context = nullptr;
};

/// Runs the callbacks of nodes by priority or deadline, on fresh inputs, and with preemption if the
/// process has real-time rights. Requests that the operating system refuses are logged once and listed
/// in grants().
///
/// On several CPUs, scheduling is partitioned: each task is assigned to one CPU and competes only with
/// the tasks there. Callbacks that exclude each other share a CPU, and so do a task that reads with a
/// `max_age` and the task that refreshes its data. Messages between CPUs are passed by pointer, as on
/// one CPU. A callback that blocks or takes long delays only its own CPU. The functions of a
/// user-defined policy are called by several threads concurrently.
class SchedulingExecutor : public SchedulingControls {
 public:
  /// Starts no thread. Allocates, and locks the memory of the process unless it is locked already or
  /// `lock_memory` is false, which takes tens of milliseconds; spin() reports whether that was granted.
  /// Throws Error (the same CPU twice, an invalid priority plan or policy, a value out of range).
  explicit SchedulingExecutor(const SchedulingExecutorOptions & options = {});
  /// Ends spin() and waits until it has returned. Must not be called in a callback of this executor.
  ~SchedulingExecutor() override;

  /// Adds a node: its callbacks, including those that it creates later, are run by this executor. The
  /// node may be destroyed at any time. Any thread, while spinning or not; allocates; does not wait for
  /// jobs. Throws Error if the node has an executor already or cannot be placed as requested, and
  /// std::system_error if another worker thread is needed and cannot be created.
  void add_node(const std::shared_ptr<Node> & node) { add_node(*node); }
  void add_node(Node & node);
  /// The same for several nodes, in one change on each CPU. If it throws, none is added.
  void add_nodes(const std::vector<std::shared_ptr<Node>> & nodes);
  /// Removes a node. Waits until those of its jobs that are running have finished; after the return none
  /// of its callbacks runs. Called in a callback, it does not wait. Throws Error if the node does not
  /// belong to this executor.
  void remove_node(const std::shared_ptr<Node> & node) { remove_node(*node); }
  void remove_node(Node & node);
  /// The same for several nodes, in one change on each CPU. If it throws, none is removed.
  void remove_nodes(const std::vector<std::shared_ptr<Node>> & nodes);

  /// Runs callbacks until cancel() or the shutdown of the context. The calling thread only waits. The
  /// first call creates the executor's threads, which takes about 1 ms per preemption level; later calls
  /// reuse them, and releases continue on the same grid. Depending on `on_exception`, rethrows the
  /// exception of a callback. Throws Error if the executor spins already, takt is not initialised or
  /// tasks cannot be placed as requested, and std::system_error if threads cannot be created.
  void spin();
  /// Ends spin(): started jobs finish, pending jobs remain pending. If the executor does not spin, the
  /// next spin() returns at once. Any thread, including callbacks; neither allocates, blocks nor throws.
  void cancel();
  /// Returns whether spin() is running. Any thread.
  bool spinning() const;

 private:
  friend detail::SpinUntil;
  /// Revokes a cancel() that was meant for the previous spin() but came after its end.
  void forget_cancel();

  std::shared_ptr<Context> context_;
  const Diagnostics diagnostics_;
};

}  // namespace takt
