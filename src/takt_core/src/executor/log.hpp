// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// Passes the executor's warnings, one line each, to the user's log function.
class Log {
 public:
  /// Without a function, lines go to standard error. `writing`: the rank of the lock that is held
  /// while the function is called.
  explicit Log(std::function<void(const std::string &)> write,
               os::LockRank writing = os::LockRank::log_writing);

  /// Passes a line on. Blocks; only for threads that may.
  void write(const std::string & line);
  /// Stores a line for the next flush(). Any thread; allocates. Lines beyond a limit are only
  /// counted.
  void write_later(std::string line);
  /// Passes on the stored lines. Blocks; only for threads that may.
  void flush();

 private:
  std::function<void(const std::string &)> write_;
  os::Mutex writing_;  // held while the function is called
  os::PiMutex mutex_{os::LockRank::log_kept};
  std::vector<std::string> kept_ TAKT_GUARDED_BY(mutex_);
  std::size_t dropped_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::executor
