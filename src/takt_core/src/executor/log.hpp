// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// The executor's warnings, one line each, on their way to the user's log function.
class Log {
 public:
  /// Without a function: standard error.
  explicit Log(std::function<void(const std::string &)> write);

  /// Hands a line over now. Only from threads that may wait.
  void write(const std::string & line);
  /// Keeps a line for the next flush(). Any thread; allocates. Lines beyond a bound are counted.
  void write_later(std::string line);
  /// Hands over what was kept. Only from threads that may wait.
  void flush();

 private:
  std::function<void(const std::string &)> write_;
  std::mutex writing_;
  os::PiMutex mutex_;
  std::vector<std::string> kept_;
  std::size_t dropped_ = 0;
};

}  // namespace takt::executor
