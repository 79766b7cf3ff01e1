// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/types.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::tasks {

/// What both clocks say.
struct ClockReading {
  model::Time steady = 0;       ///< CLOCK_MONOTONIC
  std::int64_t system = 0;      ///< CLOCK_REALTIME
  model::Duration between = 0;  ///< how far apart they may have been read
};
/// Reads them again where something came between.
ClockReading read_clocks() noexcept;

/// Tells when a message of the middleware was published, by CLOCK_MONOTONIC. Its source timestamp is
/// an instant of CLOCK_REALTIME, which may have been set since: what was published before is told by
/// where that clock stood then. Thread-safe; allocates nothing.
class SourceClock {
 public:
  /// To be called when a message arrives: what is published until then has timestamps of the clock
  /// as it stands now.
  void look(const ClockReading & now) noexcept;
  /// When a message of that timestamp was published, never after now; now for 0, which is not known.
  model::Time published(std::int64_t timestamp, const ClockReading & now) noexcept;

 private:
  void note(const ClockReading & now) noexcept TAKT_REQUIRES(mutex_);

  os::PiMutex mutex_{os::LockRank::source_clock};
  model::Time looked_ TAKT_GUARDED_BY(mutex_) = -model::never;  // the last time
  model::Time offset_ TAKT_GUARDED_BY(mutex_) = 0;  // of the system's clock to ours, then
  // It was last set between these, and stood like that before.
  model::Time set_after_ TAKT_GUARDED_BY(mutex_) = -model::never;
  model::Time set_before_ TAKT_GUARDED_BY(mutex_) = -model::never;
  model::Time offset_before_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::tasks
