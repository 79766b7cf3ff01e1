// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "rows.hpp"
#include "takt_core/os/switch_records.hpp"

namespace takt::lab {

/// A thread got a CPU, and has it until the next one does.
struct CpuTurnRow {
  std::int64_t at = 0;
  std::int32_t tid = 0;        ///< 0: nobody, the CPU is idle
  std::int32_t preempted = 0;  ///< 1: the thread before would have gone on

  static constexpr std::array fields = {Field{"at", "<i8"}, Field{"tid", "<i4"},
                                        Field{"preempted", "<i4"}};
};

/// Which threads a CPU was given to, by the kernel's records of its switches. One thread at a time.
class CpuTurns {
 public:
  /// From now on. Refused without the rights, which facts() tells.
  explicit CpuTurns(int cpu);

  /// Takes what has been recorded; at least every second, or some of it is lost. Allocates, reads
  /// /proc for threads that are new.
  void look();
  const std::vector<CpuTurnRow> & rows() const noexcept { return rows_; }
  /// The same, which it forgets: a long measurement writes them as they come.
  std::vector<CpuTurnRow> take() noexcept { return std::exchange(rows_, {}); }
  /// {"refused": "", "lost": 0, "threads": [{"tid", "name", "priority", "own"}]}: who had the CPU, of
  /// which `own` are this process's; a thread that had ended when it was looked for has no name.
  nlohmann::ordered_json facts() const;

 private:
  struct Thread {
    std::string name;
    int priority = 0;
    bool own = false;
  };
  void meet(int tid);

  os::SwitchRecords records_;
  std::vector<CpuTurnRow> rows_;
  std::map<int, Thread> threads_;
  std::uint64_t lost_ = 0;
  bool preempted_ = false;
};

}  // namespace takt::lab
