// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "takt_core/os/clock.hpp"

struct perf_event_mmap_page;

namespace takt::os {

/// A thread has got a CPU, or has left it.
struct SwitchRecord {
  Time at = 0;      ///< now()
  int tid = 0;      ///< 0: nobody, the CPU is idle; 0 too for threads that cannot be seen from here
  bool in = false;  ///< it has got the CPU
  bool preempted = false;  ///< it left the CPU although it would go on
};

/// The kernel's own records of its switches between threads (perf_event_open), as they are made: of
/// one thread of this process, or of one CPU. They lie in a ring until they are read; what finds no
/// room there is lost and counted. A record costs who is switched some 0.2 us. One thread at a time.
class SwitchRecords {
 public:
  enum class Of : std::uint8_t { thread, cpu };

  /// Recorded from now on; 4 KiB of locked memory for each page, of which there are a power of two.
  /// A few system calls. It takes kernel.perf_event_paranoid at 2 or less for threads of one's own, at 0
  /// or less for a CPU, or the right CAP_PERFMON; what is refused is no exception: see error().
  SwitchRecords(Of of, int number, std::size_t pages);
  ~SwitchRecords();
  SwitchRecords(const SwitchRecords &) = delete;
  SwitchRecords & operator=(const SwitchRecords &) = delete;

  /// An errno, ESRCH for a thread that has ended; 0: it records.
  int error() const noexcept { return error_; }
  /// Why it does not, in one line with what to do; "" if it does.
  std::string refusal() const;

  /// Takes what has come, oldest first; `lost(count)` stands between those before and those after. No
  /// system call.
  void read(const std::function<void(const SwitchRecord &)> & record,
            const std::function<void(std::uint64_t)> & lost);

 private:
  void copy(std::uint64_t from, void * to, std::size_t size) const;

  const Of of_;
  const std::size_t bytes_;
  int event_ = -1;
  int error_ = 0;
  perf_event_mmap_page * ring_ = nullptr;
};

}  // namespace takt::os
