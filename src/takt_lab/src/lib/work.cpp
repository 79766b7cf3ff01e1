// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <takt_core/os/clock.hpp>

namespace takt::lab {
namespace {

constexpr model::Duration chunk = 15'000;
constexpr std::size_t page = 4096;

/// Arithmetic in registers, each step of which depends on the previous one, so that its speed depends only on
/// the CPU frequency.
void spin(std::uint64_t steps) noexcept {
  std::uint64_t state = steps | 1;
  for (std::uint64_t i = 0; i < steps; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    asm volatile("" : "+r"(state));
  }
}

/// Returns the CPU time of one call of `what`, in ns, as the average of `calls` calls.
template <typename What>
double cost_of(What what, int calls) {
  const model::Time begin = os::thread_cpu();
  for (int i = 0; i < calls; ++i) what();
  return static_cast<double>(os::thread_cpu() - begin) / calls;
}

}  // namespace

Calibration calibrate() {
  constexpr std::uint64_t steps = 500'000;
  spin(2 * steps);  // raises the CPU from its idle frequency
  std::array<double, 9> trials{};
  for (double & trial : trials) {
    trial = cost_of([] { spin(steps); }, 1) / steps;
  }
  std::sort(trials.begin(), trials.end());
  const double median = std::max(trials[trials.size() / 2], 1e-3);
  Calibration calibration;
  calibration.steps_per_ns = 1 / median;
  calibration.spread = (trials.back() - trials.front()) / median;
  calibration.chunk = chunk;
  calibration.thread_cpu_ns = cost_of([] { os::thread_cpu(); }, 500);
  calibration.clock_ns = cost_of([] { os::now(); }, 500);
  return calibration;
}

Work::Work(const Calibration & calibration) noexcept
    : steps_per_ns_(calibration.steps_per_ns), chunk_(calibration.chunk) {}

void Work::burn_until(model::Time until) const noexcept {
  for (;;) {
    const model::Duration left = until - os::thread_cpu();
    if (left <= 0) return;
    spin(1 +
         static_cast<std::uint64_t>(static_cast<double>(std::min(left, chunk_)) * steps_per_ns_));
  }
}

void touch_pages(std::span<std::uint8_t> bytes, std::uint8_t value) noexcept {
  for (std::size_t at = 0; at < bytes.size(); at += page) {
    // Volatile, so that the compiler keeps the store although the byte may never be read.
    *static_cast<volatile std::uint8_t *>(&bytes[at]) = value;
  }
}

}  // namespace takt::lab
