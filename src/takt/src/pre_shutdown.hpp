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

/// The functions of Context::on_pre_shutdown(). They are called before a shutdown, in the order of their
/// registration, on a separate thread (`takt.ending`). The shutdown waits for them for a limited time.
/// Thread-safe.
class PreShutdown : public std::enable_shared_from_this<PreShutdown> {
 public:
  /// Registers a function and returns a handle for remove(), or 0 if the calls have begun and the
  /// function will not be called.
  std::uint64_t add(std::function<void()> function);
  /// Removes a function. Blocks while it is being called, unless the calling thread is that of the
  /// functions, or the limit has passed.
  void remove(std::uint64_t handle);
  bool empty() const;

  /// Calls the functions; a second call does nothing. What functions throw is logged. Returns false if
  /// they have not all returned within `limit`: the one that is running then continues on its thread,
  /// and those after it are not called.
  bool call(std::chrono::nanoseconds limit);
  /// Returns whether the calling thread is the one that calls the functions.
  bool is_calling_thread() const noexcept;

 private:
  void call_each();

  mutable os::Mutex mutex_{os::LockRank::ending};
  os::Condition changed_;
  std::map<std::uint64_t, std::function<void()>> functions_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t next_ TAKT_GUARDED_BY(mutex_) = 1;
  std::uint64_t calling_ TAKT_GUARDED_BY(mutex_) = 0;
  bool over_ TAKT_GUARDED_BY(mutex_) =
      false;  // all functions have returned, or the limit has passed
  bool begun_ TAKT_GUARDED_BY(mutex_) = false;  // the calls have begun; add() returns 0
  std::atomic<int> thread_id_ = 0;
  os::Thread thread_;
};

}  // namespace takt::detail
