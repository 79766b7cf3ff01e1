// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "log.hpp"
#include "takt_core/executor/options.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/rights.hpp"

namespace takt::executor {

/// What was requested and granted. Each refusal is logged once, over all spins. Any thread that may
/// block.
class GrantsRecord {
 public:
  explicit GrantsRecord(Log & log) : log_(log) {}

  void set_asked(std::string policy, int cpu);
  /// Begins another spin: forgets the refusals of the last one.
  void begin();
  void set_memory(const os::Granted & locked);
  /// `bytes`: how much freed memory malloc was asked to keep.
  void set_heap(const os::Granted & kept, std::int64_t bytes);
  /// Records a refusal, one line; equal lines count once.
  void refuse(const std::string & line);
  void set_threads(std::vector<PlannedThread> threads);
  /// `unknown`: the names of threads for which the plan has no role.
  void set_middleware(std::vector<PlannedThread> threads, std::vector<std::string> unknown = {});
  /// Records whether the executor's threads are still confined to its CPU, and their present state.
  /// Logs a change; does nothing otherwise.
  void set_cpu_kept(bool kept, std::vector<PlannedThread> threads);

  /// Everything but the policy in use and the levels.
  Grants read() const;

 private:
  void keep(std::vector<PlannedThread> threads) TAKT_REQUIRES(mutex_);
  void refuse_errors(const std::vector<PlannedThread> & threads);
  std::string cpu_lost() const TAKT_REQUIRES(mutex_);

  Log & log_;
  mutable os::Mutex mutex_{os::LockRank::grants_record};
  Grants grants_ TAKT_GUARDED_BY(mutex_);
  std::vector<PlannedThread> middleware_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::string> unknown_ TAKT_GUARDED_BY(mutex_);
  bool cpu_lost_ TAKT_GUARDED_BY(mutex_) = false;
  std::set<std::string> logged_refusals_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
