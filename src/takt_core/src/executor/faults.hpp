// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include "log.hpp"
#include "takt_core/executor/options.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// What becomes of exceptions that leave callbacks.
class Faults {
 public:
  /// `name` gives a task's name, `stop` ends the spinning; both from the throwing thread.
  Faults(OnException rule, Log & log, std::function<std::string(TaskId)> name,
         std::function<void()> stop);

  /// Inside a catch block on the thread that ran the callback.
  void caught(TaskId task) noexcept;
  /// The same for the user's handlers.
  void caught_in_handler() noexcept;
  /// Takes what spin() is to rethrow, null if there is nothing.
  std::exception_ptr take() noexcept;
  std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  void handle(const std::string & where);

  const OnException rule_;
  Log & log_;
  std::function<std::string(TaskId)> name_;
  std::function<void()> stop_;
  std::atomic<std::uint64_t> count_{0};
  os::PiMutex mutex_{os::LockRank::faults};
  std::exception_ptr first_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
