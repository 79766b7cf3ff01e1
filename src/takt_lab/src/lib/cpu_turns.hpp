// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "rows.hpp"
#include "takt_core/os/switch_records.hpp"

namespace takt::lab {

/// A context switch: from the instant `at` on, a thread runs on the CPU, until the next row.
struct CpuTurnRow {
  std::int64_t at = 0;
  std::int32_t tid = 0;        ///< 0: the CPU is idle
  std::int32_t preempted = 0;  ///< 1: the previous thread was preempted

  static constexpr std::array fields = {Field{"at", "<i8"}, Field{"tid", "<i4"},
                                        Field{"preempted", "<i4"}};
};

/// Records which threads run on a CPU, from the kernel's records of context switches. One thread at a time.
class CpuTurns {
 public:
  /// The number of threads that are named.
  static constexpr std::size_t most_threads = 10'000;

  /// Begins to record. Without sufficient rights nothing is recorded, which facts() reports.
  explicit CpuTurns(int cpu);

  /// Reads the kernel's records. Must be called at least once per second, or records are lost. Allocates,
  /// and reads /proc for new threads.
  void look();
  const std::vector<CpuTurnRow> & rows() const noexcept { return rows_; }
  /// Returns the rows and removes them, so that a long measurement can write them continuously.
  std::vector<CpuTurnRow> take() noexcept { return std::exchange(rows_, {}); }
  /// Returns {"refused": "", "lost": 0, "threads": [{"tid", "name", "priority", "own"}]}: the threads that
  /// ran on the CPU, at most the first `most_threads`. `own` marks threads of this process. A thread that had
  /// ended before it was looked up has no name.
  nlohmann::ordered_json facts() const;

 private:
  struct Thread {
    int tid = 0;
    std::array<char, 16> name{};  ///< as in /proc, where it has at most 15 characters
    int priority = 0;
    bool own = false;
  };
  void meet(int tid);

  os::SwitchRecords records_;
  std::vector<CpuTurnRow> rows_;
  // In the order of `tid`. Allocated in advance: a long measurement judges whether its process grows, and
  // meets each thread that begins on the host meanwhile.
  std::vector<Thread> threads_;
  std::uint64_t lost_ = 0;
  bool preempted_ = false;
};

}  // namespace takt::lab
