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

/// Treats exceptions that leave callbacks, as OnException says.
class Faults {
 public:
  /// `name` returns a task's name, `stop` ends spinning; both are called on the throwing thread.
  Faults(OnException rule, Log & log, std::function<std::string(TaskId)> name,
         std::function<void()> stop);

  /// To be called inside a catch block, on the thread that ran the callback.
  void caught(TaskId task) noexcept;
  /// As caught(), for handlers.
  void caught_in_handler() noexcept;
  /// Takes the exception that spin() is to rethrow; null if there is none.
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
