// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>

#include "takt_core/model/types.hpp"
#include "takt_core/os/event.hpp"
#include "worker.hpp"

namespace takt::executor {

/// Which thread keeps the time (calls Dispatcher::keep_time() when something is due), and until
/// when it sleeps: a worker while it has no job, otherwise the timer thread. Accessed under the
/// processor's lock unless noted otherwise.
class Timekeeper {
 public:
  explicit Timekeeper(os::Event & timer) noexcept : timer_(timer), helper_(&timer) {}

  /// The worker that keeps the time; nullptr: the timer thread. Any thread.
  Worker * worker() const noexcept { return worker_.load(std::memory_order_acquire); }
  /// The event that wakes the thread that keeps the time.
  os::Event & event() const noexcept {
    Worker * const worker = this->worker();
    return worker != nullptr ? worker->event() : timer_;
  }
  /// See Dispatcher::request_keep_time(). Any thread.
  void request_keep_time() noexcept { helper_.load()->post(); }

  /// Sets the only worker, which keeps the time and serves requests; nullptr: there are several.
  void set_single_worker(Worker * worker) noexcept {
    helper_ = worker != nullptr ? &worker->event() : &timer_;
  }
  /// Makes another worker keep the time, or the timer thread for nullptr; false if it does already.
  /// Wakes both: the new one to sleep until something is due, the old one to sleep until it has a
  /// job.
  bool change(Worker * worker, model::Time now) noexcept {
    if (worker == this->worker()) return false;
    os::Event & before = event();
    worker_.store(worker, std::memory_order_release);
    unkept_since_ = worker != nullptr && worker->has_job() ? now : model::never;
    before.post();
    event().post();
    return true;
  }

  /// Records that the thread that keeps the time is awake.
  void wake() noexcept { wakes_at_ = awake; }
  /// Records that the thread that keeps the time sleeps until this instant.
  void sleep(model::Time until) noexcept {
    unkept_since_ = model::never;
    wakes_at_ = until;
  }
  /// Whether the thread sleeps beyond this instant.
  bool oversleeps(model::Time instant) const noexcept {
    return wakes_at_ != awake && instant < wakes_at_;
  }
  /// Records that the worker that keeps the time was given a job.
  void busy(model::Time now) noexcept {
    wakes_at_ = awake;
    unkept_since_ = now;
  }
  /// Records that a job was raised to the level of the worker that keeps the time, or above: that
  /// worker may not get the CPU.
  void covered(model::Time now) noexcept { unkept_since_ = std::min(unkept_since_, now); }
  /// Since when nobody keeps the time, because the worker has a job, or does not get the CPU
  /// because of a raised job; model::never if somebody does.
  model::Time unkept_since() const noexcept { return unkept_since_; }

 private:
  static constexpr model::Time awake = std::numeric_limits<model::Time>::min();

  os::Event & timer_;
  std::atomic<Worker *> worker_{nullptr};
  std::atomic<os::Event *> helper_;  // wakes the thread that serves requests
  model::Time wakes_at_ = awake;
  model::Time unkept_since_ = model::never;
};

}  // namespace takt::executor
