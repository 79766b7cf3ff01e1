// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// How long threads of this process have a CPU without a pause, by the kernel's own records of its
/// switches (perf_event_open). A record costs a watched thread some 0.2 us each time that it gets a
/// CPU or leaves it; others pay nothing. One thread at a time.
class CpuStretches {
 public:
  struct Longest {
    Time ns = 0;             ///< 0: it has had none
    std::uint64_t lost = 0;  ///< records that found no room: stretches beside them are not known
  };

  CpuStretches() noexcept;
  ~CpuStretches();
  CpuStretches(const CpuStretches &) = delete;
  CpuStretches & operator=(const CpuStretches &) = delete;

  /// Watches these as well, from now on; one that is watched already goes on. Returns why one could
  /// not be watched, in one line with what to do; "": all of them are. One that has ended is no
  /// fault. A few system calls and 132 KiB of locked memory for each; allocates.
  std::string watch(const std::vector<int> & tids);
  /// Reads what the kernel has recorded. There is room for some 5,000 records of a thread.
  void look();
  /// Up to the last look(); nothing: it is not watched.
  std::optional<Longest> of(int tid) const;
  /// Ends watching.
  void clear() noexcept;

 private:
  class Watched;
  std::vector<std::unique_ptr<Watched>> watched_;
};

}  // namespace takt::os
