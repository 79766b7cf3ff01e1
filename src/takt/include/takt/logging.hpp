// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcutils/logging.h>

#include <atomic>
#include <cstdint>
#include <sstream>

#include "takt/logger.hpp"

/// Logging through rcl, to the console, /rosout and log files as rcl's command-line arguments configure.
///
/// A message that a callback logs is formatted into a bounded, preallocated ring and written by the
/// background thread `takt.log`, so the callback neither blocks nor allocates. The text is truncated to
/// log_text_capacity characters. When the ring is full, messages are dropped and counted, and the count
/// is logged. This also applies to what rcl and the middleware log from inside a callback. From any
/// other thread, a message is written at once, after the messages that were deferred before it.
namespace takt {

/// The capacity of the ring in messages, and of one deferred message in characters.
inline constexpr std::size_t log_ring_capacity = 512;
inline constexpr std::size_t log_text_capacity = 607;

/// Counts of messages that were logged from callbacks.
struct LoggingStatistics {
  std::uint64_t deferred = 0;   ///< passed through the ring
  std::uint64_t dropped = 0;    ///< lost because the ring was full
  std::uint64_t truncated = 0;  ///< deferred with a truncated text
};
/// Returns the counts since the process started. Any thread; allocates nothing.
LoggingStatistics logging_statistics() noexcept;

/// Writes the deferred messages on the calling thread. Blocks; must not be called in a callback.
void flush_logging();

namespace detail {

/// Logs a message formatted as by printf, whatever the logger's level. Any thread.
[[gnu::format(printf, 4, 5)]] void log(const rcutils_log_location_t & location, Severity severity,
                                       const Logger & logger, const char * format, ...) noexcept;

/// Returns whether a message is due: none has been logged (`last_ns` is INT64_MIN), at least `milliseconds`
/// have passed since the instant `last_ns`, or the clock has gone back. If so, sets `last_ns` to `now_ns`,
/// the current time of the clock in ns. Of several threads that call it at the same time, one gets true.
bool log_due(std::atomic<std::int64_t> & last_ns, std::int64_t now_ns,
             std::int64_t milliseconds) noexcept;

}  // namespace detail
}  // namespace takt

/// Logs a printf-formatted message if the logger shows this severity and `condition` is true. The
/// condition is evaluated only if the logger shows the severity.
#define TAKT_LOG_IF(condition, severity, logger, ...)                                  \
  do {                                                                                 \
    const ::takt::Logger & takt_logger = (logger);                                     \
    if (takt_logger.is_enabled(severity) && (condition)) {                             \
      static const rcutils_log_location_t takt_location{__func__, __FILE__, __LINE__}; \
      ::takt::detail::log(takt_location, severity, takt_logger, __VA_ARGS__);          \
    }                                                                                  \
  } while (false)

#define TAKT_LOG(severity, logger, ...) TAKT_LOG_IF(true, severity, logger, __VA_ARGS__)

/// Logs only once: the first time that the statement is executed while the logger shows the severity.
#define TAKT_LOG_ONCE(severity, logger, ...)                                \
  do {                                                                      \
    static ::std::atomic<bool> takt_first{true};                            \
    TAKT_LOG_IF(takt_first.exchange(false), severity, logger, __VA_ARGS__); \
  } while (false)

/// Logs at most once per `milliseconds`, measured by `clock`, a takt::Clock object (not a pointer), for
/// example *node.get_clock().
#define TAKT_LOG_THROTTLE(severity, logger, clock, milliseconds, ...)                            \
  do {                                                                                           \
    static ::std::atomic<::std::int64_t> takt_last{INT64_MIN};                                   \
    TAKT_LOG_IF(::takt::detail::log_due(takt_last, (clock).now().nanoseconds(), (milliseconds)), \
                severity, logger, __VA_ARGS__);                                                  \
  } while (false)

/// Logs a message composed with `<<`: TAKT_INFO_STREAM(logger, "x = " << x). Allocates if the message
/// is shown.
#define TAKT_LOG_STREAM(severity, logger, stream)                              \
  do {                                                                         \
    const ::takt::Logger & takt_stream_logger = (logger);                      \
    if (takt_stream_logger.is_enabled(severity)) {                             \
      ::std::ostringstream takt_stream;                                        \
      takt_stream << stream;                                                   \
      TAKT_LOG(severity, takt_stream_logger, "%s", takt_stream.str().c_str()); \
    }                                                                          \
  } while (false)

// The macros for application code. Arguments: the logger, then a format and values as for printf.
#define TAKT_DEBUG(logger, ...) TAKT_LOG(::takt::Severity::debug, logger, __VA_ARGS__)
#define TAKT_INFO(logger, ...) TAKT_LOG(::takt::Severity::info, logger, __VA_ARGS__)
#define TAKT_WARN(logger, ...) TAKT_LOG(::takt::Severity::warn, logger, __VA_ARGS__)
#define TAKT_ERROR(logger, ...) TAKT_LOG(::takt::Severity::error, logger, __VA_ARGS__)
#define TAKT_FATAL(logger, ...) TAKT_LOG(::takt::Severity::fatal, logger, __VA_ARGS__)

#define TAKT_DEBUG_ONCE(logger, ...) TAKT_LOG_ONCE(::takt::Severity::debug, logger, __VA_ARGS__)
#define TAKT_INFO_ONCE(logger, ...) TAKT_LOG_ONCE(::takt::Severity::info, logger, __VA_ARGS__)
#define TAKT_WARN_ONCE(logger, ...) TAKT_LOG_ONCE(::takt::Severity::warn, logger, __VA_ARGS__)
#define TAKT_ERROR_ONCE(logger, ...) TAKT_LOG_ONCE(::takt::Severity::error, logger, __VA_ARGS__)
#define TAKT_FATAL_ONCE(logger, ...) TAKT_LOG_ONCE(::takt::Severity::fatal, logger, __VA_ARGS__)

#define TAKT_DEBUG_THROTTLE(logger, clock, milliseconds, ...) \
  TAKT_LOG_THROTTLE(::takt::Severity::debug, logger, clock, milliseconds, __VA_ARGS__)
#define TAKT_INFO_THROTTLE(logger, clock, milliseconds, ...) \
  TAKT_LOG_THROTTLE(::takt::Severity::info, logger, clock, milliseconds, __VA_ARGS__)
#define TAKT_WARN_THROTTLE(logger, clock, milliseconds, ...) \
  TAKT_LOG_THROTTLE(::takt::Severity::warn, logger, clock, milliseconds, __VA_ARGS__)
#define TAKT_ERROR_THROTTLE(logger, clock, milliseconds, ...) \
  TAKT_LOG_THROTTLE(::takt::Severity::error, logger, clock, milliseconds, __VA_ARGS__)
#define TAKT_FATAL_THROTTLE(logger, clock, milliseconds, ...) \
  TAKT_LOG_THROTTLE(::takt::Severity::fatal, logger, clock, milliseconds, __VA_ARGS__)

#define TAKT_DEBUG_STREAM(logger, stream) TAKT_LOG_STREAM(::takt::Severity::debug, logger, stream)
#define TAKT_INFO_STREAM(logger, stream) TAKT_LOG_STREAM(::takt::Severity::info, logger, stream)
#define TAKT_WARN_STREAM(logger, stream) TAKT_LOG_STREAM(::takt::Severity::warn, logger, stream)
#define TAKT_ERROR_STREAM(logger, stream) TAKT_LOG_STREAM(::takt::Severity::error, logger, stream)
#define TAKT_FATAL_STREAM(logger, stream) TAKT_LOG_STREAM(::takt::Severity::fatal, logger, stream)
