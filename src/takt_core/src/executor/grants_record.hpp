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

/// What was asked for and granted, kept from one spin to the next. What is refused is said once.
/// Any thread that may wait.
class GrantsRecord {
 public:
  explicit GrantsRecord(Log & log) : log_(log) {}

  void set_asked(std::string policy, int cpu);
  /// Another spin: forgets what the last one was refused.
  void begin();
  void set_memory(const os::Granted & locked);
  /// So many bytes of it.
  void set_heap(const os::Granted & kept, std::int64_t bytes);
  /// One line; the same line counts once.
  void refuse(const std::string & line);
  void set_threads(std::vector<PlannedThread> threads);
  /// `unknown`: names of those that the plan has no role for.
  void set_middleware(std::vector<PlannedThread> threads, std::vector<std::string> unknown = {});
  /// Whether the executor's threads are on its CPU still, and they as they are now. Where that has changed
  /// it is said; else nothing is done.
  void set_cpu_kept(bool kept, std::vector<PlannedThread> threads);

  /// All but policy in use and levels.
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
  std::set<std::string> said_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
