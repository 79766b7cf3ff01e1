// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace takt {

/// Severity of a log message, with the values of rcutils. A logger shows messages of its level and above.
enum class Severity : int { unset = 0, debug = 10, info = 20, warn = 30, error = 40, fatal = 50 };

/// A named logger with a severity level. Cheap to copy; all copies share one state.
///
/// Levels are set by rcl's command-line arguments (`--log-level`), by set_level() and by the logger
/// services of a node. A level that is set directly in rcutils (rcutils_logging_set_logger_level)
/// takes effect only after the next change made through takt.
class Logger {
 public:
  /// Any thread; allocates.
  explicit Logger(const std::string & name);

  const std::string & get_name() const noexcept;
  /// Returns the logger `name.suffix`. Its messages reach /rosout if those of this logger do.
  /// Allocates.
  Logger get_child(const std::string & suffix) const;

  /// Sets the level; Severity::unset makes the logger inherit that of its parent. Any thread;
  /// allocates and may block. Throws takt::Error.
  void set_level(Severity level);
  /// Returns the logger's own level, else that of its nearest ancestor that has one, else the default.
  /// Any thread; may allocate and block.
  Severity get_effective_level() const;
  /// Returns whether a message of this severity would be shown. Any thread. Costs two atomic loads and
  /// allocates nothing once the level is cached, that is, after the first call and after each change.
  bool is_enabled(Severity severity) const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Returns the logger of this name, as Logger(name) does. Any thread; allocates.
Logger get_logger(const std::string & name);

}  // namespace takt
