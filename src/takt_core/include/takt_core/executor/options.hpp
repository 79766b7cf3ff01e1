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

/// What happens to an exception that leaves a user's callback.
enum class OnException : std::uint8_t {
  rethrow,    ///< stop spinning and rethrow from spin() (the default)
  report,     ///< count it, hand it to the log function, go on
  terminate,  ///< std::terminate
};

/// Makes a policy of the user's own. May be called again when the preemptive form is refused.
using MakePolicy = std::function<std::unique_ptr<model::Policy>()>;

/// Called on the handler thread (PriorityPlan::handler), one at a time. They may ask for another
/// scenario or a new state, release tasks, stop the processor, allocate, and block for a short time:
/// what comes meanwhile waits, and beyond 256 it is dropped and counted (Statistics::unreported). A
/// change of tasks waits for started jobs, as from any thread that runs none; the processor must not
/// be destroyed. What they throw follows OnException.
struct Handlers {
  /// Deadlines that jobs have missed.
  std::function<void(const Miss &, const std::string & task)> on_miss{};
  /// Releases that found the previous job of their task unfinished.
  std::function<void(const Overrun &, const std::string & task)> on_overrun{};
  /// Budgets that jobs have used up.
  std::function<void(const Exhaustion &, const std::string & task)> on_exhausted{};
};

/// What a callback that blocks may be waiting for, though its own executor would have to run it.
struct Awaited {
  /// Names of clients.
  std::vector<std::string> clients{};
  enum class How : std::uint8_t {
    near,       ///< they are of its node
    responded,  ///< of its node, and a response to them lies there
    asked,      ///< it has asked by them, and has no response
  };
  How how = How::near;
};

/// Of a processor that is one of several in its process; see Processors.
struct Membership {
  /// The number of its first task, and of its first group, so that numbers tell processors apart.
  TaskId first_task{0};
  /// Whether it looks after the middleware's threads, which are the process's.
  bool plans_middleware = true;
  /// Whether what tasks use of the processor is measured: an addition per job.
  bool measures_use = false;
  /// Called by spin() when the processor's threads are there and no job can have started; may block.
  std::function<void()> ready{};
};

/// What a Processor is made of. Checked by its constructor, which throws std::invalid_argument for an
/// unknown policy, a plan or an interval out of range.
struct Options {
  /// A built-in policy's name, unless `custom_policy` is set.
  std::string policy = "rm";
  MakePolicy custom_policy{};
  /// The one CPU of the processor; -1: the first that the process may use, which is reported.
  int cpu = -1;
  PriorityPlan plan{};
  OnException on_exception = OnException::rethrow;
  /// Stack of each of its threads, in bytes, from os::Stack::least to os::Stack::most; 0: as much as
  /// an ordinary thread has (os::ordinary_stack_size()). Where the thread is real-time, 2 MiB of it
  /// are touched beforehand, and the rest faults once for each page.
  std::size_t stack_size = 0;
  /// Lock the process's memory (os::lock_memory()) when spinning starts, unless it is locked. It stays
  /// locked.
  bool lock_memory = true;
  /// How much freed memory each of malloc's arenas keeps instead of giving it back, in bytes, from 0
  /// (as malloc does by itself) to os::most_kept_heap: see os::keep_heap().
  std::int64_t kept_heap = 0;
  /// Time each decision for JobInfo::decision: two more reads of the clock per job.
  bool time_decisions = false;
  /// For how long at most a job inside the middleware keeps others from starting, in ns, 0 or more:
  /// as long it is not preempted there, where it may hold locks that do not inherit priority.
  model::Duration max_section = 200'000;
  /// How often the watchdog looks after the others, in ns, at least 10 ms: a callback that blocks or does
  /// not return for that long is found. A look costs some 25 us at ordinary priority.
  model::Duration watchdog_interval = 1'000'000'000;
  /// Count the response times of every task, 6.7 KB for each: up to two cache misses per job.
  bool measure_responses = false;
  /// How much younger than its `max_age` an input must be when a job is chosen, at least 0: what may
  /// pass until the job starts.
  model::Duration age_margin = 100'000;
  /// Warnings of the executor (what was not granted, a callback that blocks, merged levels), one
  /// line each, from threads that may wait. Default: standard error.
  std::function<void(const std::string &)> log{};
  /// What a callback that blocks may be waiting for; by a thread that may wait. Not known by default.
  std::function<Awaited(TaskId)> awaited{};
  /// May be exchanged later.
  Handlers handlers{};
  /// Names of threads that the plan does not know, and what they are for; they go before those that
  /// it knows.
  std::vector<ThreadRule> thread_roles{};
  /// Threads of ordinary priority that may run on the executor's CPU alone, as those do that a
  /// callback starts, may use those of the process instead. Otherwise each name is said once, and once of
  /// those without a name of their own.
  bool widen_started_threads = false;
  /// Where every decision goes, beside what is measured anyway: no read of the clock more. Several
  /// processors may share it. Nowhere by default, which costs a branch per decision.
  std::shared_ptr<trace::Recorder> trace{};
  Membership membership{};
};

/// What was asked for and what was granted, for people and results. One record for everything.
struct Grants {
  std::string policy;         ///< as asked
  std::string policy_in_use;  ///< the non-preemptive form without real-time rights
  bool realtime = false;
  int cpu = -1;
  bool pinned = false;
  bool memory_locked = false;
  std::int64_t kept_heap = 0;       ///< Options::kept_heap, 0 if it was refused
  std::size_t levels = 0;           ///< preemption levels, each with a worker
  model::Duration max_section = 0;  ///< Options::max_section
  std::size_t merged_levels = 0;    ///< beyond what the plan has priorities for
  std::vector<PlannedThread> threads;
  /// One line for each thing asked for and not granted, or taken away, with what to do. Empty: all
  /// granted.
  std::vector<std::string> refused;
  /// Facts that bear on this: about the host, such as real-time throttling; what of nodes the plan
  /// does not know.
  std::vector<std::string> notes;
};

}  // namespace takt::executor
