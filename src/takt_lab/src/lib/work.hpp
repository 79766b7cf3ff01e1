// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <takt_core/model/types.hpp>

namespace takt::lab {

/// The speed of the work loop on this CPU, measured before a run and reported with its results.
struct Calibration {
  double steps_per_ns = 0;    ///< speed of the work loop, the median of the trials
  double spread = 0;          ///< (slowest - fastest) / median of the trials
  model::Duration chunk = 0;  ///< work between two reads of the CPU clock, ns
  double thread_cpu_ns = 0;   ///< cost of reading the thread's CPU clock
  double clock_ns = 0;        ///< cost of reading the monotonic clock
};

/// Measures the speed on the calling thread, which takes about 20 ms of CPU time.
Calibration calibrate();

/// CPU work of a given length, measured by the calling thread's CPU clock, so that neither preemption nor a
/// change of the CPU frequency changes it. Any thread; neither allocates nor blocks.
class Work {
 public:
  explicit Work(const Calibration & calibration) noexcept;

  /// Computes until the thread's CPU clock reaches `until`. Ends late by at most about the cost of one read of
  /// that clock, because the last chunk is shortened to the remaining time.
  void burn_until(model::Time until) const noexcept;

 private:
  double steps_per_ns_;
  model::Duration chunk_;
};

/// Writes one byte in each page, as an application that fills a message touches its memory.
void touch_pages(std::span<std::uint8_t> bytes, std::uint8_t value) noexcept;

}  // namespace takt::lab
