// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// The longest times that threads of this process run on a CPU without interruption, by the
/// kernel's records of context switches (perf_event_open). A record costs the watched thread some
/// 0.2 us at each switch to or from it; other threads pay nothing. One thread at a time.
class CpuStretches {
 public:
  /// The longest uninterrupted run of a thread.
  struct Longest {
    Time ns = 0;             ///< length in ns; 0: it has not run
    std::uint64_t lost = 0;  ///< records lost for lack of room: runs next to them are unknown
  };

  CpuStretches() noexcept;
  ~CpuStretches();
  CpuStretches(const CpuStretches &) = delete;
  CpuStretches & operator=(const CpuStretches &) = delete;

  /// Starts to watch these threads, unless they are watched already. Returns in one line why a
  /// thread cannot be watched, and the remedy; empty if all are. A thread that has ended is no
  /// error. Some system calls and 132 KiB of locked memory per thread; allocates.
  std::string watch(const std::vector<int> & tids);
  /// Reads the records made so far. The kernel has room for some 5,000 per thread between two
  /// calls.
  void look();
  /// The longest run of a thread up to the last look(); no value if it is not watched.
  std::optional<Longest> of(int tid) const;
  /// Stops watching all threads.
  void clear() noexcept;

 private:
  class Watched;
  std::vector<std::unique_ptr<Watched>> watched_;
};

}  // namespace takt::os
