// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// The executor's warnings, one line each, on their way to the user's log function.
class Log {
 public:
  /// Without a function: standard error. `writing`: of the lock that is held while it is called.
  explicit Log(std::function<void(const std::string &)> write,
               os::LockRank writing = os::LockRank::log_writing);

  /// Hands a line over now. Only from threads that may wait.
  void write(const std::string & line);
  /// Keeps a line for the next flush(). Any thread; allocates. Lines beyond a bound are counted.
  void write_later(std::string line);
  /// Hands over what was kept. Only from threads that may wait.
  void flush();

 private:
  std::function<void(const std::string &)> write_;
  os::Mutex writing_;  // held while it is called
  os::PiMutex mutex_{os::LockRank::log_kept};
  std::vector<std::string> kept_ TAKT_GUARDED_BY(mutex_);
  std::size_t dropped_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::executor
