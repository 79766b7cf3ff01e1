// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <takt_core/model/types.hpp>

namespace takt::lab {

/// How fast this CPU burns, measured before a run and reported with its results.
struct Calibration {
  double steps_per_ns = 0;    ///< of the work loop, the median of the trials
  double spread = 0;          ///< (slowest - fastest) / median of the trials
  model::Duration chunk = 0;  ///< work between two looks at the CPU clock, ns
  double thread_cpu_ns = 0;   ///< cost of one look at the thread's CPU clock
  double clock_ns = 0;        ///< cost of one look at the monotonic clock
};

/// Measures on the calling thread, about 20 ms of its CPU time.
Calibration calibrate();

/// CPU work of a given length, measured on the calling thread's CPU clock, so that neither
/// preemption nor a change of the CPU's frequency shortens or lengthens it. Any thread; neither
/// allocates nor blocks.
class Work {
 public:
  explicit Work(const Calibration & calibration) noexcept;

  /// Burns until the thread's CPU clock shows `until`. Ends at most about one look at that clock
  /// late: the last piece is cut to what is left.
  void burn_until(model::Time until) const noexcept;

 private:
  double steps_per_ns_;
  model::Duration chunk_;
};

/// Writes one byte in each page, as an application that fills its message would touch it.
void touch_pages(std::span<std::uint8_t> bytes, std::uint8_t value) noexcept;

}  // namespace takt::lab
