// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "dispatcher.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "notice_handler.hpp"
#include "worker.hpp"

namespace takt::executor {

Dispatcher::Dispatcher(model::Setup & setup, const Options & options, Listeners listeners)
    : scheduler_(setup),
      timekeeper_(listeners.timer),
      max_section_(options.max_section),
      tasks_(options.membership.first_task, options.measure_responses),
      time_decisions_(options.time_decisions),
      measures_use_(options.membership.measures_use),
      recorder_(options.trace),
      listeners_(std::move(listeners)) {
  scheduler_.set_age_margin(options.age_margin);
  if (recorder_ == nullptr) return;
  trace_ = recorder_->add_ring(
      trace::Definition("ring").add("first_task", std::int64_t{to_number(numbering().first())}));
  if (trace_ != nullptr) scheduler_.set_release_observer(&trace_release, this);
}

// ---- inputs ---------------------------------------------------------------------------------

Dispatcher::Next Dispatcher::finish(Worker & worker) noexcept {
  std::optional<FinishedJob> finished;  // for the observer
  Wakes wakes;
  Next result;
  const model::Duration used = worker.budgeted_cpu();
  {
    const os::Lock lock(mutex_);
    const model::Time now = now_ = os::now();
    const bool lowered = worker.level() == 0;
    if (worker.began_stale()) scheduler_.began_stale(tasks_.in_model(worker.job().task));
    const bool late =
        lowered ? finish_lowered(worker, now) : scheduler_.finish(worker.level(), now, used);
    if (trace_ != nullptr) trace_finish(worker, now, late, lowered);
    if (tasks_.measures_responses()) {
      const JobInfo & job = worker.job();
      const model::Duration margin =
          job.deadline == model::never ? model::never : job.deadline - now;
      tasks_.count_response(job.task, now - job.release, margin, job.data_age());
    }
    if (measures_use_ || observer_ != nullptr) {
      const model::Duration execution = used < 0 ? worker.execution(now) : used;
      if (measures_use_) tasks_.use(worker.job().task).executed += execution;
      if (observer_ != nullptr) {
        finished = FinishedJob{worker.job(), now, execution, late};
        observing_.fetch_add(1, std::memory_order_relaxed);
      }
    }
    if (const model::Level top = scheduler_.running(); top > 0 && !lowered) {
      // The job that is on top now was preempted by this one, unless it was above it and has
      // blocked, which let this one run.
      Worker & below = *workers_[top - 1];
      if (below.covers_since() < worker.covers_since()) below.preempted(worker.covers_since(), now);
    }
    worker.take_back();
    // Called under the lock, which the analysis does not see through the template.
    removed_tasks_.end_finished(
        [this](model::TaskId task) TAKT_NO_THREAD_SAFETY_ANALYSIS { return scheduler_.busy(task); },
        [this](RemovedTask & task) TAKT_NO_THREAD_SAFETY_ANALYSIS { end(task); });
    ++counters_.jobs;
    if (keeps_time(worker)) scheduler_.advance(now);
    dispatch(now, &worker, wakes);
    fetch_ahead(wakes);
    result = next(now, &worker);
    if (lowered) wake_locked(std::exchange(wakes, {}));
  }
  wake(wakes);
  if (finished) {
    observer_(observer_context_, *finished);
    observing_.fetch_sub(1, std::memory_order_release);
    observing_.notify_all();
  }
  return result;
}

void Dispatcher::wait_until_observed() const noexcept {
  for (int jobs = 0; (jobs = observing_.load(std::memory_order_acquire)) != 0;) {
    observing_.wait(jobs);
  }
}

Dispatcher::Next Dispatcher::keep_time(Worker * self) noexcept {
  Wakes wakes;
  Next result;
  {
    const os::Lock lock(mutex_);
    // Between two spins the thread that keeps the time sleeps until the next spin begins.
    if ((gate_.look() & Gate::halted) != 0) return {};
    const model::Time now = now_ = os::now();
    if (self == timekeeper_.worker()) timekeeper_.wake();
    scheduler_.advance(now);
    expire_sections(now, wakes);
    charge(now);
    dispatch(now, self, wakes);
    fetch_ahead(wakes);
    result = next(now, self);
  }
  wake(wakes);
  return result;
}

Dispatcher::Next Dispatcher::next(model::Time now, Worker * self) noexcept {
  if (self != nullptr && self->has_job()) {
    self->set_start(now);
    return {true, now};
  }
  if (self != timekeeper_.worker()) return {false, model::never};
  const model::Time until = next_instant();
  timekeeper_.sleep(until);
  return {false, until};
}

model::Release Dispatcher::release(TaskId task) noexcept {
  const Worker * worker = Worker::current();
  if (worker != nullptr && &worker->dispatcher() != this) return release_across(task);
  Wakes wakes;
  model::Release result = model::Release::skipped;
  {
    const os::Lock lock(mutex_);
    result = release_here(task, os::now(), wakes);
    if (worker == nullptr || worker->level() == 0) wake_locked(std::exchange(wakes, {}));
  }
  wake(wakes);
  return result;
}

model::Release Dispatcher::release_across(TaskId task) noexcept {
  Wakes wakes;
  model::Release result = model::Release::skipped;
  const model::Time asked = os::now();
  {
    const os::Lock lock(mutex_);
    const model::Time now = os::now();
    result = release_here(task, now, wakes);
    wake_locked(wakes);
    counters_.crossed(now - asked, os::now() - now);
  }
  return result;
}

model::Release Dispatcher::release_here(TaskId task, model::Time now, Wakes & wakes) noexcept {
  now_ = now;
  const model::Release result = scheduler_.release(tasks_.in_model(task), now, now);
  dispatch(now, nullptr, wakes);
  return result;
}

void Dispatcher::restart(TaskId task, model::Time first, model::Time reset) noexcept {
  Wakes wakes;
  const os::Lock lock(mutex_);
  const model::Time now = os::now();
  scheduler_.restart(tasks_.in_model(task), first, now, reset);
  dispatch(now, nullptr, wakes);
  wake_locked(wakes);
}

void Dispatcher::set_state(model::ApplicationState state) noexcept {
  Wakes wakes;
  const os::Lock lock(mutex_);
  state = scheduler_.set_state(std::move(state));
  dispatch(os::now(), nullptr, wakes);
  wake_locked(wakes);
}

// ---- decisions ------------------------------------------------------------------------------

void Dispatcher::dispatch(model::Time now, const Worker * self, Wakes & wakes) noexcept {
  now_ = now;
  if (request_.waits()) switch_scenario();
  if (scheduler_.has_notices()) wakes.notices = collect_notices();
  if (gate_.look() == 0 || may_start(wakes)) {
    ++counters_.decisions;
    // One decision is enough: the other pending jobs are less urgent than the job that was just
    // started.
    const model::Level below = trace_ != nullptr ? scheduler_.running() : 0;
    const model::Time began = time_decisions_ ? os::now() : 0;
    const model::Decision decision = scheduler_.decide(now);
    const model::Duration took = time_decisions_ ? os::now() - began : -1;
    if (decision.kind == model::Decision::Kind::start) {
      if (trace_ != nullptr) trace_choice(decision, below > 0 ? workers_[below - 1] : nullptr);
      start(decision, took, self, wakes);
    } else if (decision.kind == model::Decision::Kind::raise) {
      raise(decision, now);
    }
  }
  if (timekeeper_.oversleeps(next_instant())) {
    timekeeper_.wake();
    wakes.timekeeper = &timekeeper_.event();
  }
}

bool Dispatcher::may_start(Wakes & wakes) noexcept {
  for (;;) {
    // A deferred start is no obstacle by itself: the thread that ended the section is about to call
    // resume().
    expire_sections(now_, wakes);
    const Gate::Word closed = gate_.look() & ~Gate::deferred;
    if (closed == 0) return true;
    if ((closed & (Gate::stopping | Gate::halted)) != 0) {
      wakes.idle = all_done();
      return false;
    } else if (scheduler_.pending() == 0) {
      return false;
    } else if (defer_starts(now_)) {
      if (trace_ != nullptr) trace_mark(now_, trace::Kind::deferral);
      return false;
    }
  }
}

void Dispatcher::start(const model::Decision & decision, model::Duration took, const Worker * self,
                       Wakes & wakes) noexcept {
  const TaskTable::Entry & entry = tasks_.entry(decision.job->task);
  Worker * worker = workers_[decision.worker - 1];
  worker->give(entry, decision, took);
  if (tasks_.measures_responses()) tasks_.expect_response(entry.id);
  if (worker->runs_at() != worker->level()) run_at(*worker, worker->level());
  if (keeps_time(*worker)) timekeeper_.busy(now_);
  if (worker != self) {
    wakes.worker = worker;
    wakes.task = &entry;
  }
}

void Dispatcher::fetch_ahead(const Wakes & wakes) const noexcept {
  if (wakes.task != nullptr) wakes.task->fetch();
  const auto [next, then] = scheduler_.upcoming();
  if (next != nullptr) tasks_.entry(next->task).fetch();
  if (then != nullptr) tasks_.fetch(then->task);
}

// A raised worker gets its own priority back with its next job, not before: when it finishes, it
// wakes the worker it was raised for, and with a lower priority the jobs that it was raised above
// would run first.
void Dispatcher::raise(const model::Decision & decision, model::Time now) noexcept {
  Worker & worker = *workers_[decision.worker - 1];
  if (decision.above > 0) worker.raised(*workers_[decision.above - 1], now);
  run_at(worker, decision.job->level);
  const Worker * const timekeeper = timekeeper_.worker();
  if (timekeeper != nullptr && decision.job->level >= timekeeper->level()) timekeeper_.covered(now);
  if (trace_ != nullptr) trace_raise(decision, now);
}

void Dispatcher::run_at(Worker & worker, model::Level level) noexcept {
  worker.set_runs_at(level);
  listeners_.run_at(worker, level);
}

bool Dispatcher::collect_notices() noexcept {
  NoticeHandler & handler = listeners_.notices;
  bool any = false;
  const auto put = [&](const auto & notice) TAKT_REQUIRES(mutex_) {
    if (trace_ != nullptr) trace_notice(notice);
    any |= handler.put(tasks_.numbering().in_executor(notice));
  };
  for (model::Miss miss; scheduler_.next_miss(miss);) put(miss);
  for (model::Overrun overrun; scheduler_.next_overrun(overrun);) put(overrun);
  for (model::Exhaustion exhaustion; scheduler_.next_exhaustion(exhaustion);) put(exhaustion);
  return any;
}

void Dispatcher::wake(const Wakes & wakes) noexcept {
  if (wakes.parked) wake_parked();
  post(wakes);
}

void Dispatcher::wake_locked(const Wakes & wakes) noexcept {
  if (wakes.parked) post_parked();
  post(wakes);
}

void Dispatcher::post(const Wakes & wakes) noexcept {
  // The worker last: if it is more urgent than the calling thread, it runs at once.
  if (wakes.timekeeper != nullptr) wakes.timekeeper->post();
  if (wakes.notices) listeners_.notices.wake();
  if (wakes.idle) listeners_.idle.post();
  if (wakes.worker != nullptr) wakes.worker->event().post();
}

}  // namespace takt::executor
