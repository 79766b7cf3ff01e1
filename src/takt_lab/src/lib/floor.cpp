// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <algorithm>
#include <takt_core/os/clock.hpp>
#include <utility>

namespace takt::lab {
namespace {

/// The order for the standard library's heaps, which have the greatest element on top.
// A function object, as in the executor's queues: the compiler inlines it.
constexpr auto later = [](const ReleaseHeap::Entry & a, const ReleaseHeap::Entry & b) noexcept {
  return std::pair(a.release, a.task) > std::pair(b.release, b.task);
};

}  // namespace

ReleaseHeap::ReleaseHeap(model::Time t0, model::Duration period,
                         const std::vector<model::Duration> & phases)
    : period_(period) {
  for (std::uint32_t task = 0; task < phases.size(); ++task) {
    heap_.push_back({t0 + phases[task], task, 0});
  }
  std::make_heap(heap_.begin(), heap_.end(), later);
}

void ReleaseHeap::advance(model::Time now) noexcept {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  Entry & entry = heap_.back();
  const model::Duration late = std::max<model::Duration>(now - entry.release, 0);
  const auto steps = late < period_ ? 1 : late / period_ + 1;
  entry.release += steps * period_;
  entry.index += static_cast<std::uint64_t>(steps);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

Floor::Floor(ReleaseHeap heap, StartLog & log, model::Time end)
    : heap_(std::move(heap)), log_(log), end_(end) {}

model::Time Floor::run_job(const ReleaseHeap::Entry & job) noexcept {
  const model::Time start = os::now();
  log_.note(job.task, job.index, start);
  return start;
}

void FloorLoop::run() {
  model::Time now = 0;
  while (!over()) {
    if (heap_.top().release > now) os::sleep_until(heap_.top().release);
    now = run_job(heap_.top());
    heap_.advance(now);
  }
}

FloorWakeUp::FloorWakeUp(ReleaseHeap heap, StartLog & log, model::Time end)
    : Floor(std::move(heap), log, end), ring_(heap_.tasks()), pending_(heap_.tasks()) {}

void FloorWakeUp::make_releases() {
  while (!over()) {
    os::sleep_until(heap_.top().release);
    const model::Time now = os::now();
    std::uint64_t written = written_.load(std::memory_order_relaxed);
    while (!over() && heap_.top().release <= now) {
      const ReleaseHeap::Entry & job = heap_.top();
      if (!pending_[job.task].exchange(true, std::memory_order_acquire)) {
        ring_[written++ % ring_.size()] = job;
      }
      heap_.advance(now);
    }
    written_.store(written, std::memory_order_release);
    handed_over_.post();
  }
  done_.store(true);
  handed_over_.post();
}

void FloorWakeUp::run() {
  while (!done_.load() || read_ != written_.load()) {
    handed_over_.wait();
    for (const std::uint64_t end = written_.load(std::memory_order_acquire); read_ != end;) {
      const ReleaseHeap::Entry job = ring_[read_++ % ring_.size()];
      run_job(job);
      pending_[job.task].store(false, std::memory_order_release);
    }
  }
}

}  // namespace takt::lab
