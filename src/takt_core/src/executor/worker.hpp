// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/event.hpp"

namespace takt::executor {

class Dispatcher;
class Faults;

/// Runs the jobs of one preemption level, one at a time, on a thread of its own. The only worker of
/// a processor that does not preempt also keeps the time.
class Worker {
 public:
  /// Whether this thread blocked inside a callback, as far as it can tell by itself: the watchdog
  /// asks for a look, the worker counts its voluntary context switches.
  struct Looks {
    std::atomic<bool> asked{false};
    std::atomic<model::TaskId> blocked{model::none};  ///< found; the watchdog takes it away
  };

  /// `dispatcher` and `faults` need not be made yet.
  Worker(model::Level level, Processor & processor, Dispatcher & dispatcher, Faults & faults);

  /// The thread's body until quit(): for one level of several, or for all jobs and the time.
  void run_level();
  void run_alone();
  /// Only while it has no job. It can run again after its thread was joined.
  void quit() noexcept;

  // ---- for the dispatcher, under the processor's lock

  model::Level level() const noexcept { return level_; }
  bool has_job() const noexcept { return has_job_.load(std::memory_order_acquire); }
  /// `task` as the processor calls it; `decision`: how long it took to choose the job.
  void give(model::TaskId task, const model::Job & job, model::Duration decision,
            const JobFunction & function) noexcept;
  /// It has finished.
  void take_back() noexcept {
    has_job_.store(false, std::memory_order_relaxed);
    preempted_ = 0;
  }
  /// How long the job given last ran until `finish`, without what preempted it.
  model::Duration execution(model::Time finish) const noexcept {
    return finish - job_.start - preempted_;
  }
  /// A job of another level had the CPU for so long in the midst of this one.
  void preempted(model::Duration by) noexcept { preempted_ += by; }
  /// The job given last.
  const JobInfo & job() const noexcept { return job_; }
  /// The next job starts at once, at this instant.
  void set_start(model::Time start) noexcept { job_.start = start; }

  /// Any thread.
  os::Event & event() noexcept { return event_; }
  /// Its job must not begin yet; whoever lets it go on posts its event.
  bool parked() const noexcept { return parked_.load(std::memory_order_acquire); }
  void park(bool parked) noexcept { parked_.store(parked, std::memory_order_release); }

  // ---- for the watchdog

  Looks & looks() noexcept { return looks_; }
  std::uint64_t begun() const noexcept { return begun_.load(std::memory_order_relaxed); }
  /// The task whose function runs; `none` if there is none or it is inside the middleware.
  model::TaskId running() const noexcept {
    return sections_.load(std::memory_order_relaxed) > 0 ? model::none
                                                         : running_.load(std::memory_order_relaxed);
  }
  std::int64_t longest_section() const noexcept {
    return longest_section_.load(std::memory_order_relaxed);
  }

  // ---- on its own thread

  /// The worker whose thread this is, or nullptr.
  static Worker * current() noexcept;
  Processor & processor() const noexcept { return processor_; }
  const Dispatcher & dispatcher() const noexcept { return dispatcher_; }
  const JobInfo * running_job() const noexcept;
  void enter_section() noexcept;
  void leave_section() noexcept;

 private:
  void begin() noexcept;
  bool wait_for_job() noexcept;
  void execute() noexcept;
  void call() noexcept;
  void begin_look() noexcept;
  void call_and_look() noexcept;

  const model::Level level_;
  Processor & processor_;
  Dispatcher & dispatcher_;
  Faults & faults_;

  JobInfo job_;
  JobFunction function_;
  model::Duration preempted_ = 0;  // under the processor's lock
  os::Event event_;
  std::atomic<bool> has_job_{false};
  std::atomic<bool> parked_{false};
  std::atomic<bool> quit_{false};

  // Written by its own thread only.
  std::atomic<model::TaskId> running_{model::none};
  std::atomic<std::uint32_t> sections_{0};
  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::int64_t> longest_section_{0};
  model::Time section_began_ = 0;
  std::int64_t unexplained_ = 0;
  std::int64_t in_sections_ = 0;
  bool looking_ = false;
  Looks looks_;
};

}  // namespace takt::executor
