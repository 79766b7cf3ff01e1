// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/source_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/duration.hpp"

namespace takt::tasks {
namespace {

// To correct the clock without setting it, the kernel runs it up to 500 ppm faster or slower
// (adjtimex(2)).
constexpr model::Duration tolerance = 1'000'000;
constexpr model::Duration slewing = 1'000;  // tolerated drift: 1 part in 1000

/// Both clocks are read within this time, in ns, unless the thread is interrupted.
constexpr model::Duration at_once = 20'000;
constexpr int attempts = 4;

}  // namespace

ClockReading read_clocks() noexcept {
  ClockReading best;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const model::Time before = os::now();
    const std::int64_t system =
        std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const model::Time after = os::now();
    if (attempt == 0 || after - before < best.between) best = {after, system, after - before};
    if (best.between < at_once) break;
  }
  return best;
}

void SourceClock::note(const ClockReading & now) noexcept {
  if (now.steady <= looked_) return;  // another thread has read the clocks later
  const model::Time offset = now.system - now.steady;
  const model::Duration most =
      tolerance + now.between + (now.steady - std::max<model::Time>(looked_, 0)) / slewing;
  if (looked_ != -model::never && std::abs(offset - offset_) > most) {
    set_after_ = looked_;
    set_before_ = now.steady;
    offset_before_ = offset_;
  }
  looked_ = now.steady;
  offset_ = offset;
}

void SourceClock::look(const ClockReading & now) noexcept {
  const os::Lock lock(mutex_);
  note(now);
}

model::Time SourceClock::published(std::int64_t timestamp, const ClockReading & now) noexcept {
  if (timestamp <= 0) return now.steady;
  const os::Lock lock(mutex_);
  note(now);
  const model::Time after = timestamp - offset_;
  const model::Time before = timestamp - offset_before_;
  // A timestamp that was not given since the clock was set may have been given before.
  const bool not_after = after < set_after_ || after > now.steady;
  return std::min(not_after && before <= set_before_ ? before : after, now.steady);
}

}  // namespace takt::tasks
