// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace takt {

/// As in rcutils; a logger shows messages of its level and above.
enum class Severity : int { unset = 0, debug = 10, info = 20, warn = 30, error = 40, fatal = 50 };

/// A name under which messages are logged, with a level. Cheap to copy; copies share everything.
///
/// Levels come from rcl's own arguments (`--log-level`), from set_level() and from the logger
/// services of a node. A level set behind takt's back (rcutils_logging_set_logger_level) is seen
/// only after the next change made through takt.
class Logger {
 public:
  /// Allocates. Any thread.
  explicit Logger(const std::string & name);

  const std::string & get_name() const noexcept;
  /// The logger `name.suffix`, whose messages reach /rosout if this logger's do. Allocates.
  Logger get_child(const std::string & suffix) const;

  /// Severity::unset inherits the parent's. Throws takt::Error. Allocates, may block; any thread.
  void set_level(Severity level);
  /// Its own level, or the nearest ancestor's, or the default.
  Severity get_effective_level() const;
  /// Whether a message of this severity would be shown. Two atomic loads once the level is known;
  /// allocates nothing then. Any thread.
  bool is_enabled(Severity severity) const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// As Logger(name).
Logger get_logger(const std::string & name);

}  // namespace takt
