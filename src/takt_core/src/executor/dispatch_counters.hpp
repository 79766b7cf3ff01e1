// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "takt_core/executor/processor.hpp"
#include "takt_core/model/types.hpp"

namespace takt::executor {

/// A dispatcher's counters over all spins; accessed under its lock. Durations in ns. See
/// Statistics.
struct DispatchCounters {
  std::uint64_t jobs = 0;
  std::uint64_t decisions = 0;
  std::uint64_t deferred = 0;
  std::uint64_t crossings = 0;
  model::Duration longest_lock_wait = 0;
  model::Duration longest_lock_hold = 0;
  std::uint64_t switches = 0;  // scenario switches
  model::Duration last_switch = 0;
  model::Duration longest_switch = 0;

  /// Counts a release from another processor: `waited` for the lock and `held` it, in ns.
  void crossed(model::Duration waited, model::Duration held) noexcept {
    ++crossings;
    longest_lock_wait = std::max(longest_lock_wait, waited);
    longest_lock_hold = std::max(longest_lock_hold, held);
  }
  void switched(model::Duration took) noexcept {
    ++switches;
    last_switch = std::max<model::Duration>(took, 0);
    longest_switch = std::max(longest_switch, last_switch);
  }
  void add_to(Statistics & statistics) const noexcept {
    statistics.jobs = jobs;
    statistics.decisions = decisions;
    statistics.deferred = deferred;
    statistics.crossings = crossings;
    statistics.longest_lock_wait_ns = longest_lock_wait;
    statistics.longest_lock_hold_ns = longest_lock_hold;
    statistics.scenario_switches = switches;
    statistics.last_switch_ns = last_switch;
    statistics.longest_switch_ns = longest_switch;
  }
};

/// The total time for which the processor has spun, in ns.
class SpinTime {
 public:
  bool spinning() const noexcept { return since_ != halted; }
  void begin(model::Time now) noexcept { since_ = now; }
  void end(model::Time now) noexcept {
    before_ = until(now);
    since_ = halted;
  }
  model::Duration until(model::Time now) const noexcept {
    return spinning() ? before_ + (now - since_) : before_;
  }

 private:
  static constexpr model::Time halted = model::never;
  model::Duration before_ = 0;  // sum over the spins that have ended
  model::Time since_ = halted;
};

}  // namespace takt::executor
