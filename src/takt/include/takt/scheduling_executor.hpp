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

/// Read once, when the executor is made: as SchedulingOptions, and how it shows itself.
struct SchedulingExecutorOptions {
  /// May be exchanged later.
  SchedulingPolicy policy = "rm";
  /// The CPUs it runs on: a processor on each, with a timer thread and workers of its own. Empty:
  /// the first that the process may use, which is reported. Where each task runs: by hand
  /// (NodeOptions::processor and the like), else see SchedulingExecutor::rebalance().
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
  /// How it shows itself to others while it spins.
  Diagnostics diagnostics = {};
  /// Whose shutdown ends spin(). Default: the default context.
  std::shared_ptr<Context> context = nullptr;
};

/// Runs the callbacks of nodes by priority or deadline, with preemption where the process has
/// real-time rights, and gives them fresh inputs. What was asked for and not granted is said once
/// and stands in grants().
///
/// With several CPUs each task runs on one of them and is scheduled there among that one's tasks
/// alone. Callbacks that exclude each other are on one CPU, and so is who refreshes another's data.
/// Messages between CPUs go by pointer, as within one. A callback that blocks or takes long holds
/// up its own CPU, not the others. Functions of a user's own policy are then called by several
/// threads at once.
class SchedulingExecutor : public SchedulingControls {
 public:
  /// Throws Error (a CPU given twice, a plan or policy that does not fit). Starts no thread. Locks
  /// the process's memory, unless it is locked or `lock_memory` is false, which takes tens of
  /// milliseconds; whether it was granted is told by spin().
  explicit SchedulingExecutor(const SchedulingExecutorOptions & options = {});
  /// Ends spin() and waits for it. Not from a callback of its own.
  ~SchedulingExecutor() override;

  /// Runs the node's callbacks from now on, those made later too. The node may go at any time.
  /// Throws Error if the node has an executor already or is placed where it cannot be,
  /// std::system_error if it needs another worker's thread and there can be none.
  void add_node(const std::shared_ptr<Node> & node) { add_node(*node); }
  void add_node(Node & node);
  /// On return none of its callbacks runs or will, unless called from a callback. Throws Error if
  /// the node is not one of this executor.
  void remove_node(const std::shared_ptr<Node> & node) { remove_node(*node); }
  void remove_node(Node & node);

  /// Runs until cancel() or the context's shutdown; rethrows a callback's exception if so
  /// configured. The first time threads are made, a millisecond for each preemption level; they wait
  /// for the next time. The calling thread waits. Throws Error if it spins already, takt is not
  /// initialised or tasks are placed where they cannot be, std::system_error if there can be no
  /// threads. May be called again; the grid goes on.
  void spin();
  /// Ends spin(): started jobs finish, pending ones stay. Allocates nothing, never blocks or
  /// throws. If it does not spin, the next spin() returns at once.
  void cancel();
  bool spinning() const;

 private:
  friend detail::SpinUntil;
  /// Of a cancel() that was meant for the spin() before.
  void forget_cancel();

  std::shared_ptr<Context> context_;
  const Diagnostics diagnostics_;
};

}  // namespace takt
