// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "takt_core/executor/entity.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/trace/ring.hpp"
#include "task_table.hpp"

namespace takt::executor {

class Dispatcher;
class Faults;
class MiddlewareWaits;

/// Runs the jobs of one preemption level, one at a time, on a thread of its own. A worker whose job
/// goes on in the background leaves its level to a spare worker, and is a spare one afterwards.
/// While it has no job a worker may also keep the time: the only worker of a non-preemptive
/// processor, otherwise the one of the highest level.
class Worker {
 public:
  /// Detection of blocking inside a callback: the watchdog requests a check, and the worker then
  /// counts its voluntary context switches during a job.
  struct BlockingCheck {
    std::atomic<bool> asked{false};
    std::atomic<TaskId> blocked{TaskId::none};  ///< the task that was found; reset by the watchdog
  };

  /// `number` identifies it; it is also its first level, unless it is a spare worker. `dispatcher`
  /// and `faults` need not be constructed yet.
  Worker(model::Level number, Processor & processor, Dispatcher & dispatcher, Faults & faults,
         MiddlewareWaits & waits);
  model::Level number() const noexcept { return number_; }

  /// The thread's body; returns after quit().
  void run();
  /// Ends run(). Only while it has no job. It can run again after no_thread().
  void quit() noexcept;

  // ---- for the dispatcher, under the processor's lock

  /// The level; 0 in the background and for a spare worker.
  model::Level level() const noexcept { return level_; }
  void set_level(model::Level level) noexcept { level_ = level; }
  bool has_job() const noexcept { return has_job_.load(std::memory_order_acquire); }
  /// Gives it a job. `took`: how long the decision took, in ns.
  void give(const TaskTable::Entry & task, const model::Decision & decision,
            model::Duration took) noexcept;
  /// Records that its job has finished.
  void take_back() noexcept {
    has_job_.store(false, std::memory_order_relaxed);
    lowered_.store(false, std::memory_order_relaxed);
    preempted_ = 0;
    covers_since_ = 0;
  }
  /// The execution time of the last job until `finish`, in ns, without the jobs that preempted it.
  model::Duration execution(model::Time finish) const noexcept {
    return finish - job_.start - preempted_;
  }
  /// Records that jobs of other workers had the CPU during this interval; the part before this
  /// job's start does not count.
  void preempted(model::Time from, model::Time to) noexcept {
    const model::Time began = start();
    if (began != not_begun && began < to) preempted_ += to - std::max(from, began);
  }
  /// Since when this job and those above it keep the one below from the CPU: since this job's
  /// start, unless one was raised.
  model::Time covers_since() noexcept { return covers_since_ != 0 ? covers_since_ : start(); }
  /// Records that its job goes on in the background. `task`: its index in the model.
  void lower(model::TaskId task) noexcept {
    lowered_task_ = task;
    level_ = 0;
    lowered_.store(true, std::memory_order_seq_cst);
  }
  model::TaskId lowered_task() const noexcept { return lowered_task_; }
  /// Since when its job has been in a section that holds back starts. Negative: it is about to
  /// enter one, which may not be in the gate yet. `no_section`: it is not, or the section does not
  /// hold back starts any more. Valid if Gate::in_section().
  model::Time holds_back_since() const noexcept {
    return holds_back_since_.load(std::memory_order_relaxed);
  }
  bool holds_back() const noexcept { return holds_back_since() != no_section; }
  static constexpr model::Time no_section = 0;
  /// Makes the section that began at `since` stop holding back starts, after it deferred a job of
  /// the task `deferred`. False if the section has ended.
  bool expire(model::Time since, TaskId deferred) noexcept {
    deferred_task_.store(deferred, std::memory_order_relaxed);
    return holds_back_since_.compare_exchange_strong(since, no_section, std::memory_order_acq_rel);
  }
  /// Whether its job's input was young enough when it was chosen and too old when it got the CPU.
  bool began_stale() const noexcept { return job_.start > fresh_until_; }
  /// The CPU time that its job, which has a budget, has used so far, in ns. Any thread.
  model::Duration cpu_used() const noexcept;
  /// Records that its job continues above all others from now on; `above`: the worker whose job was
  /// directly above it so far.
  void raised(Worker & above, model::Time now) noexcept;
  /// The last job given.
  const JobInfo & job() const noexcept { return job_; }
  /// Records that the job that it was given starts at once, at this instant.
  void set_start(model::Time start) noexcept {
    start_of_job().store(start, std::memory_order_relaxed);
  }
  /// Records that its job does not begin yet, so that jobs that have had the CPU meanwhile did not
  /// preempt it.
  void delay_start() noexcept {
    set_start(not_begun);
    preempted_ = 0;
  }
  /// The level whose OS priority its thread has, 0 for the background.
  model::Level runs_at() const noexcept { return runs_at_; }
  void set_runs_at(model::Level level) noexcept { runs_at_ = level; }

  // ---- for the pool

  /// Records its thread, which runs at the priority of this level, 0 for the background.
  void set_thread(int tid, model::Level level) noexcept {
    tid_.store(tid, std::memory_order_relaxed);
    runs_at_ = level;
  }
  /// Records that its thread has ended.
  void no_thread() noexcept {
    quit_.store(false, std::memory_order_relaxed);
    set_thread(0, 0);
  }
  int tid() const noexcept { return tid_.load(std::memory_order_relaxed); }
  /// Sets the trace ring, which its own thread writes to. Before it has a thread.
  void set_trace(trace::Ring * ring) noexcept { trace_ = ring; }
  trace::Ring * trace() const noexcept { return trace_; }

  /// The event that wakes its thread. Any thread may post it.
  os::Event & event() noexcept { return event_; }
  /// Whether its job must not begin yet ("parked"); the thread that permits it posts the event.
  bool parked() const noexcept { return parked_.load(std::memory_order_acquire); }
  void park(bool parked) noexcept { parked_.store(parked, std::memory_order_release); }

  // ---- for the watchdog

  /// Whether its job is in a section or waits for an entity.
  bool in_section() const noexcept { return sections_.load(std::memory_order_relaxed) > 0; }

  BlockingCheck & blocking_check() noexcept { return blocking_check_; }
  std::uint64_t begun() const noexcept { return begun_.load(std::memory_order_relaxed); }
  /// The task whose function is running, or `none`.
  TaskId running() const noexcept { return running_.load(std::memory_order_relaxed); }
  std::int64_t longest_section() const noexcept {
    return longest_section_.load(std::memory_order_relaxed);
  }

  // ---- on its own thread

  /// The worker of the calling thread, or nullptr.
  static Worker * current() noexcept;
  Processor & processor() const noexcept { return processor_; }
  const Dispatcher & dispatcher() const noexcept { return dispatcher_; }
  /// The CPU time that its job has used, in ns; -1 if it has no budget.
  model::Duration budgeted_cpu() const noexcept { return budgeted_ ? cpu_used() : -1; }
  const JobInfo * running_job() const noexcept;
  /// Writes what the calling thread is running, if it is a worker's: an os::TellRunning.
  static void tell_running(char * text, std::size_t size) noexcept;
  void enter_section(Entity * entity) noexcept;
  void leave_section() noexcept;

 private:
  /// The start of a job that its thread has not begun yet.
  static constexpr model::Time not_begun = 0;
  /// The thread writes it without the lock, so it is accessed atomically.
  std::atomic_ref<model::Time> start_of_job() noexcept {
    return std::atomic_ref<model::Time>(job_.start);
  }
  model::Time start() noexcept { return start_of_job().load(std::memory_order_relaxed); }

  void begin() noexcept;
  /// Acquires the entity of a section.
  void use(Entity & entity) noexcept;
  /// Waits for a job, at most until `until`. False if there is none; `until` is then when to check
  /// again.
  bool wait_for_job(model::Time & until) noexcept;
  void execute() noexcept;
  void call() noexcept;
  void begin_blocking_check() noexcept;
  void call_and_check() noexcept;

  void trace_start() noexcept;
  /// Records that its job has waited for the entity, which a job of `user` was using.
  void trace_wait(const Entity & entity, TaskId user, model::Time began, model::Time now) noexcept;

  const model::Level number_;
  model::Level level_;
  trace::Ring * trace_ = nullptr;
  Processor & processor_;
  Dispatcher & dispatcher_;
  Faults & faults_;
  MiddlewareWaits & waits_;

  JobInfo job_;
  void (*invoke_)(void *, const JobInfo &) = nullptr;
  void * context_ = nullptr;
  model::Time fresh_until_ = model::never;
  model::Duration preempted_ = 0;  // this and the following ones: under the processor's lock
  model::Time covers_since_ = 0;   // 0: since its start
  model::TaskId lowered_task_ = model::none;
  model::Level runs_at_;
  bool budgeted_ = false;
  os::Event event_;
  std::atomic<bool> has_job_{false};
  std::atomic<bool> parked_{false};
  std::atomic<bool> quit_{false};
  std::atomic<bool> lowered_{false};
  std::atomic<os::Time> cpu_began_{0};  // for a job with a budget; not_begun: it has not begun
  std::atomic<int> tid_{0};

  std::atomic<model::Time> holds_back_since_{no_section};
  std::atomic<TaskId> deferred_task_{TaskId::none};

  // Written by its own thread only.
  std::atomic<TaskId> running_{TaskId::none};
  std::atomic<std::uint32_t> sections_{0};
  std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::int64_t> longest_section_{0};
  const Entity * entity_ = nullptr;  // of the current section
  model::Time section_began_ = 0;
  std::int64_t unexplained_ = 0;
  std::int64_t in_sections_ = 0;
  bool checks_blocking_ = false;
  BlockingCheck blocking_check_;
};

}  // namespace takt::executor
