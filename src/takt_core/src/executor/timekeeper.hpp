// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>

#include "takt_core/model/types.hpp"
#include "takt_core/os/event.hpp"
#include "worker.hpp"

namespace takt::executor {

/// Who keeps the time, and until when it sleeps: a worker as long as it has no job, else the timer
/// thread. Under the processor's lock but where it says otherwise.
class Timekeeper {
 public:
  explicit Timekeeper(os::Event & timer) noexcept : timer_(timer), helper_(&timer) {}

  /// nullptr: the timer thread. Any thread.
  Worker * worker() const noexcept { return worker_.load(std::memory_order_acquire); }
  /// Whoever does is woken by it.
  os::Event & event() const noexcept {
    Worker * const worker = this->worker();
    return worker != nullptr ? worker->event() : timer_;
  }
  /// What is due is looked at soon, even if the worker that keeps the time has had a job for long.
  /// Any thread.
  void look_soon() noexcept { helper_.load()->post(); }

  /// There is no other worker: it keeps the time, and is free to look; nullptr: there are others.
  void set_only(Worker * worker) noexcept {
    helper_ = worker != nullptr ? &worker->event() : &timer_;
  }
  /// From now on; false if it did already. Both look anew: the one to sleep until something is due,
  /// the other until it has a job.
  bool change(Worker * worker, model::Time now) noexcept {
    if (worker == this->worker()) return false;
    os::Event & before = event();
    worker_.store(worker, std::memory_order_release);
    unkept_since_ = worker != nullptr && worker->has_job() ? now : model::never;
    before.post();
    event().post();
    return true;
  }

  /// It looks, and does not sleep.
  void wake() noexcept { wakes_at_ = awake; }
  /// It sleeps until then.
  void sleep(model::Time until) noexcept {
    unkept_since_ = model::never;
    wakes_at_ = until;
  }
  /// It sleeps, and for longer than until then.
  bool oversleeps(model::Time instant) const noexcept {
    return wakes_at_ != awake && instant < wakes_at_;
  }
  /// It was given a job.
  void busy(model::Time now) noexcept {
    wakes_at_ = awake;
    unkept_since_ = now;
  }
  /// A job goes before it at its own level or above.
  void covered(model::Time now) noexcept { unkept_since_ = std::min(unkept_since_, now); }
  /// Since when nobody keeps the time, as the worker has a job or does not get the CPU for one that
  /// was raised; model::never: somebody does.
  model::Time unkept_since() const noexcept { return unkept_since_; }

 private:
  static constexpr model::Time awake = std::numeric_limits<model::Time>::min();

  os::Event & timer_;
  std::atomic<Worker *> worker_{nullptr};
  std::atomic<os::Event *> helper_;  // of the thread that serves requests, and is free to
  model::Time wakes_at_ = awake;
  model::Time unkept_since_ = model::never;
};

}  // namespace takt::executor
