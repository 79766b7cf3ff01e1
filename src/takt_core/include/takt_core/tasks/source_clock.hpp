// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/types.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::tasks {

/// A simultaneous reading of two clocks, in ns.
struct ClockReading {
  model::Time steady = 0;       ///< CLOCK_MONOTONIC
  std::int64_t system = 0;      ///< CLOCK_REALTIME
  model::Duration between = 0;  ///< how far apart they may have been read
};
/// Reads both clocks, again if the thread was interrupted between the reads. Any thread; does not
/// allocate.
ClockReading read_clocks() noexcept;

/// Converts source timestamps of messages to CLOCK_MONOTONIC. A source timestamp is an instant of
/// CLOCK_REALTIME, which may have been set since; for messages published before that, the old
/// offset is used. Thread-safe; does not allocate.
class SourceClock {
 public:
  /// To be called when a message arrives: messages published until then have timestamps of the
  /// clock as it is set now.
  void look(const ClockReading & now) noexcept;
  /// The publication time of a message with this timestamp, by CLOCK_MONOTONIC in ns, never after
  /// now. A timestamp of 0 is unknown and gives now.
  model::Time published(std::int64_t timestamp, const ClockReading & now) noexcept;

 private:
  void note(const ClockReading & now) noexcept TAKT_REQUIRES(mutex_);

  os::PiMutex mutex_{os::LockRank::source_clock};
  model::Time looked_ TAKT_GUARDED_BY(mutex_) = -model::never;  // when it was last read
  model::Time offset_ TAKT_GUARDED_BY(mutex_) = 0;  // CLOCK_REALTIME minus CLOCK_MONOTONIC at that
                                                    // time
  // The clock was last set between these instants, and had the old offset before.
  model::Time set_after_ TAKT_GUARDED_BY(mutex_) = -model::never;
  model::Time set_before_ TAKT_GUARDED_BY(mutex_) = -model::never;
  model::Time offset_before_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::tasks
