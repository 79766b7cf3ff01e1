// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "takt_core/os/clock.hpp"

struct perf_event_mmap_page;

namespace takt::os {

/// A context switch: a thread got a CPU or left it.
struct SwitchRecord {
  Time at = 0;             ///< by now()
  int tid = 0;             ///< 0: the CPU is idle, or the thread is in another PID namespace
  bool in = false;         ///< it got the CPU; otherwise it left it
  bool preempted = false;  ///< it left the CPU although it was runnable
};

/// The kernel's records of context switches (perf_event_open), of one thread of this process or of
/// one CPU. They are kept in a ring buffer until they are read; those that find no room are lost
/// and counted. A record costs the switched thread some 0.2 us. One thread at a time.
class SwitchRecords {
 public:
  enum class Of : std::uint8_t { thread, cpu };

  /// Starts recording. `number`: a thread id or a CPU. `pages`: a power of two, 4 KiB of locked
  /// memory each. A few system calls. Needs kernel.perf_event_paranoid at 2 or less for threads of
  /// one's own, at 0 or less for a CPU, or CAP_PERFMON; a refusal is not an exception: see error().
  SwitchRecords(Of of, int number, std::size_t pages);
  ~SwitchRecords();
  SwitchRecords(const SwitchRecords &) = delete;
  SwitchRecords & operator=(const SwitchRecords &) = delete;

  /// The errno of a refusal, ESRCH for a thread that has ended; 0: it is recording.
  int error() const noexcept { return error_; }
  /// Why it is not recording, in one line with the remedy; empty if it is.
  std::string refusal() const;

  /// Passes the records since the last call to `record`, oldest first, and removes them;
  /// `lost(count)` is called where records are missing in between. No system call.
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
