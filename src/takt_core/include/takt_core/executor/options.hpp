// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/executor/ids.hpp"
#include "takt_core/executor/notices.hpp"
#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/model/policy.hpp"
#include "takt_core/trace/recorder.hpp"

namespace takt::executor {

/// What to do with an exception that leaves a user's callback.
enum class OnException : std::uint8_t {
  rethrow,    ///< stop spinning and rethrow from spin() (the default)
  report,     ///< count it, hand it to the log function, go on
  terminate,  ///< std::terminate
};

/// Creates a user-defined policy. Called again if the preemptive form of the policy is refused.
using MakePolicy = std::function<std::unique_ptr<model::Policy>()>;

/// Handlers of deadline misses, overruns and exhausted budgets. Called on the handler thread
/// (PriorityPlan::handler), one at a time. `task` is the name of the task, "(removed)" if it no
/// longer exists. They may request a scenario, set a new application state, release tasks, stop the
/// processor, allocate, and block for a short time. Notices that arrive meanwhile are queued;
/// beyond 256 they are dropped and counted (Statistics::unreported). A handler that changes tasks
/// waits for their started jobs, as any thread that runs no job does. A handler must not destroy
/// the processor. An exception that leaves a handler is treated as OnException says.
struct Handlers {
  /// Called for each deadline miss.
  std::function<void(const Miss &, const std::string & task)> on_miss{};
  /// Called for each overrun: a release at which the task's previous job had not finished.
  std::function<void(const Overrun &, const std::string & task)> on_overrun{};
  /// Called for each job that has used up its budget of CPU time.
  std::function<void(const Exhaustion &, const std::string & task)> on_exhausted{};
};

/// The service clients whose response a blocked callback may be waiting for, although only its own
/// executor could deliver that response.
struct Awaited {
  /// The names of the clients.
  std::vector<std::string> clients{};
  /// Why the callback may be waiting for these clients.
  enum class How : std::uint8_t {
    same_node,  ///< they belong to the callback's node; nothing else is known
    responded,  ///< they belong to the callback's node, and a response to them has arrived
    asked,      ///< the callback has sent a request by them and has had no response
  };
  How how = How::same_node;
};

/// The role of a processor among the processors of one executor; see Processors.
struct Membership {
  /// The number of its first task, and of its first group. As it differs between the processors,
  /// the number of a task or group identifies its processor.
  TaskId first_task{0};
  /// Whether this processor sets the priorities of the middleware's threads. These belong to the
  /// process, so one processor is enough.
  bool plans_middleware = true;
  /// Whether to measure each task's share of the CPU, see Processor::utilisation(). Costs an
  /// addition per job.
  bool measures_use = false;
  /// Called by spin() once the processor's threads exist and before any job can start. May block.
  std::function<void()> ready{};
};

/// The configuration of a Processor, whose constructor checks it and throws std::invalid_argument
/// for an unknown policy, an invalid priority plan and a value out of range.
struct Options {
  /// The name of a built-in policy; ignored if `custom_policy` is set.
  std::string policy = "rm";
  /// Creates a user-defined policy; empty: the built-in one named by `policy`.
  MakePolicy custom_policy{};
  /// The CPU that the processor runs on, counted from 0. -1: the first CPU that the process may
  /// use; Grants::cpu tells which.
  int cpu = -1;
  /// The OS priorities of all threads of the process.
  PriorityPlan plan{};
  /// What to do with an exception that leaves a callback or a handler.
  OnException on_exception = OnException::rethrow;
  /// The stack size of each of the processor's threads in bytes, from os::Stack::least to
  /// os::Stack::most, or 0 for the size that an ordinary thread has (os::ordinary_stack_size()). Of
  /// a real-time thread's stack 2 MiB are touched in advance; beyond that, the first touch of each
  /// page is a page fault.
  std::size_t stack_size = 0;
  /// Whether spin() locks the memory of the process (os::lock_memory()) unless it is locked
  /// already. It is not unlocked afterwards.
  bool lock_memory = true;
  /// How much freed memory each malloc arena keeps rather than return it to the kernel, in bytes,
  /// from 0 (malloc's own behaviour) to os::most_kept_heap: see os::keep_heap().
  std::int64_t kept_heap = 0;
  /// Whether to measure how long each decision takes, for JobInfo::decision. Costs two more reads
  /// of the clock per job.
  bool time_decisions = false;
  /// The longest time by which a job inside the middleware delays the start of another, in ns, at
  /// least 0. For three quarters of it the job is not preempted, because it may hold locks of the
  /// middleware that do not inherit priority; the rest is for the switch to the other job's thread.
  model::Duration max_section = 200'000;
  /// The period of the watchdog, in ns, at least 10 ms. The watchdog reports callbacks that block,
  /// and those that have not returned for this long. A check costs some 25 us at ordinary priority.
  model::Duration watchdog_interval = 1'000'000'000;
  /// Whether to record a histogram of the response times of each task (6.7 KB each). Costs up to
  /// two cache misses per job.
  bool measure_responses = false;
  /// The margin of the data age check, in ns, at least 0: an input must be this much younger than
  /// its `max_age` when a job is chosen, to allow for the time until the job starts.
  model::Duration age_margin = 100'000;
  /// Receives the executor's warnings (requests that were not granted, callbacks that block, merged
  /// levels), one line each. Called on threads that may block. Default: standard error.
  std::function<void(const std::string &)> log{};
  /// Returns the clients that a blocked callback may be waiting for, to name them in the warning.
  /// Called on a thread that may block. Default: not known.
  std::function<Awaited(TaskId)> awaited{};
  /// The handlers of misses, overruns and exhausted budgets. Processor::set_handlers() replaces
  /// them.
  Handlers handlers{};
  /// Roles of threads by name, for names that the built-in table (thread_role()) lacks or knows
  /// differently. They take precedence over the table.
  std::vector<ThreadRule> thread_roles{};
  /// What to do with a thread of ordinary priority that is confined to the executor's CPU, as a
  /// thread started by a callback is: with true it is given all CPUs of the process; with false a
  /// warning names it, once per name, and once for all threads without a name of their own.
  bool widen_started_threads = false;
  /// Records every decision; needs no further read of the clock. Several processors may share one
  /// recorder. nullptr (the default) disables tracing, which then costs a branch per decision.
  std::shared_ptr<trace::Recorder> trace{};
  /// Set by Processors; the default is a processor by itself.
  Membership membership{};
};

/// What was requested and what was granted, for display and for results.
struct Grants {
  std::string policy;         ///< as requested
  std::string policy_in_use;  ///< the non-preemptive form if real-time priorities were refused
  bool realtime = false;      ///< real-time priorities were granted
  /// The CPU that was requested or, for Options::cpu -1, chosen; `pinned` tells whether it was
  /// granted.
  int cpu = -1;
  bool pinned = false;              ///< its threads are confined to `cpu`
  bool memory_locked = false;       ///< the memory of the process is locked
  std::int64_t kept_heap = 0;       ///< Options::kept_heap, 0 if it was refused
  std::size_t levels = 0;           ///< preemption levels, each with a worker thread
  model::Duration max_section = 0;  ///< Options::max_section
  std::size_t merged_levels = 0;    ///< ranks without a level of their own, for lack of OS
                                    ///< priorities
  /// The processor's threads, and the middleware's threads that have a role.
  std::vector<PlannedThread> threads;
  /// One line for each request that was refused, or taken back later, with the remedy. Empty if all
  /// were granted.
  std::vector<std::string> refused;
  /// Facts that bear on the guarantees: of the host, such as real-time throttling, and of nodes
  /// whose threads the priority plan does not cover.
  std::vector<std::string> notes;
};

}  // namespace takt::executor
