// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "takt_core/os/condition.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::detail {

/// Functions that are called before a shutdown, in the order in which they came, on a thread of their
/// own (`takt.ending`): nobody waits longer for them than for a given time. Thread-safe.
class PreShutdown : public std::enable_shared_from_this<PreShutdown> {
 public:
  /// Returns what remove() takes; 0 if they have been called already: this one will not be.
  std::uint64_t add(std::function<void()> function);
  /// On return the function is not being called, unless it is what calls this, or has taken too long.
  void remove(std::uint64_t handle);
  bool empty() const;

  /// Calls them, once. What they throw is logged. False if they have not returned within the limit:
  /// then the one that is being called goes on by itself, and no other is called.
  bool call(std::chrono::nanoseconds limit);
  /// Whether the calling thread is the one that calls them.
  bool calls_here() const noexcept;

 private:
  void call_each();

  mutable os::Mutex mutex_{os::LockRank::ending};
  os::Condition changed_;
  std::map<std::uint64_t, std::function<void()>> functions_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t next_ TAKT_GUARDED_BY(mutex_) = 1;
  std::uint64_t calling_ TAKT_GUARDED_BY(mutex_) = 0;
  bool over_ TAKT_GUARDED_BY(mutex_) =
      false;  // all have returned, or nobody waits for them any more
  bool begun_ TAKT_GUARDED_BY(mutex_) = false;  // none comes any more
  std::atomic<int> thread_id_ = 0;
  os::Thread thread_;
};

}  // namespace takt::detail
