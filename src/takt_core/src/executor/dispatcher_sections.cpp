// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that holds back starts while a job is inside the middleware.
#include <algorithm>

#include "dispatcher.hpp"
#include "takt_core/os/clock.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

// How soon to check again, in ns, if a worker is about to hold back others but does not get the CPU
// to do so.
constexpr model::Duration looks_again = 50'000;

}  // namespace

bool Dispatcher::must_park(Worker & worker, model::Time & until) noexcept {
  if ((gate_.look() & Gate::sections) == 0) {
    worker.park(false);
    return false;
  }
  // The thread that ends the last section sees this flag, or defer_starts() sees that the section
  // has ended.
  worker.park(true);
  Wakes wakes;
  bool parked = false;
  {
    const os::Lock lock(mutex_);
    const model::Time now = os::now();
    expire_sections(now, wakes);
    // The sections that have expired may have deferred the start of another job, too.
    if (wakes.parked) dispatch(now, nullptr, wakes);
    parked = defer_starts(now, &worker);
    until = expires_;
  }
  if (!parked) worker.park(false);
  wake(wakes);
  return parked;
}

void Dispatcher::delay_start(Worker & worker) noexcept {
  const os::Lock lock(mutex_);
  worker.delay_start();
}

void Dispatcher::resume() noexcept {
  Wakes wakes;
  {
    const os::Lock lock(mutex_);
    gate_.open(Gate::deferred);
    expires_ = model::never;
    const model::Time now = os::now();
    charge(now);
    dispatch(now, nullptr, wakes);
    if (deferred_task_ != TaskId::none) ++counters_.deferred;
  }
  wakes.parked = true;
  wake(wakes);
}

void Dispatcher::wake_parked() noexcept {
  const os::Lock lock(mutex_);
  post_parked();
}

void Dispatcher::post_parked() noexcept {
  for (Worker * worker : workers_) {
    if (worker->parked()) worker->event().post();
  }
}

// Looks for the deferred task at every call until it has found one: the jobs that are pending at
// first may be less urgent than the job in the section, and one that could start may be released
// later.
bool Dispatcher::defer_starts(model::Time now, const Worker * parked) noexcept {
  if (!gate_.defer()) return false;
  if (expires_ == model::never) {
    deferred_task_ = TaskId::none;
    // A section that is just ending needs no expiry: its thread is about to call resume().
    for (const Worker * worker : all_) expires_ = std::min(expires_, expiry(*worker, now));
  }
  if (deferred_task_ != TaskId::none) return true;
  if (parked != nullptr) {
    deferred_task_ = parked->job().task;
  } else if (const model::Job * const next = scheduler_.startable(); next != nullptr) {
    deferred_task_ = tasks_.entry(next->task).id;
  }
  return true;
}

model::Time Dispatcher::expiry(const Worker & worker, model::Time now) const noexcept {
  const model::Time since = worker.holds_back_since();
  if (since == Worker::no_section) return model::never;
  const model::Duration hold = Gate::longest_hold(max_section_);
  return since > 0 ? since + hold : now + std::max(hold, looks_again);
}

void Dispatcher::expire_sections(model::Time now, Wakes & wakes) noexcept {
  if (now < expires_) return;
  expires_ = model::never;
  bool none_left = false;
  for (Worker * worker : all_) {
    const model::Time since = worker->holds_back_since();
    const model::Time end = expiry(*worker, now);
    if (since < 0 || end > now) {
      expires_ = std::min(expires_, end);
    } else if (worker->expire(since, deferred_task_)) {
      none_left |= gate_.leave_section();
      if (trace_ != nullptr) trace_expiry(*worker, now);
      if (worker->level() == 0) run_at(*worker, 0);
    }
  }
  if (!none_left) return;
  gate_.open(Gate::deferred);
  if (deferred_task_ != TaskId::none) ++counters_.deferred;
  wakes.parked = true;
  charge(now);
}

}  // namespace takt::executor
