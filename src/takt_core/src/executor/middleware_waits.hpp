// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/executor/ids.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// Delays of one processor's jobs by the middleware: waits for an entity that another thread was
/// using, and starts deferred by a section longer than allowed. Counts them all, and stores the
/// longest of each pair of tasks and entity for the watchdog's report.
class MiddlewareWaits {
 public:
  enum class Kind : std::uint8_t {
    entity,   ///< `task` waited for the entity that `other` was using
    section,  ///< the start of `other` was deferred while `task` was in a section
  };
  struct Found {
    Kind kind;
    TaskId task;
    TaskId other;                               ///< none: a thread that runs no job
    std::shared_ptr<const std::string> entity;  ///< the entity's name; nullptr: not known
    model::Duration length;
  };

  /// `bound`: Options::max_section, in ns; longer delays are stored.
  explicit MiddlewareWaits(model::Duration bound) noexcept : bound_(bound) {}
  model::Duration bound() const noexcept { return bound_; }

  /// Counts a wait for an entity. Does not allocate; takes a lock for a moment if it exceeds the
  /// bound.
  void waited(const Found & wait) noexcept;
  /// Counts a section that was longer than the bound; `other`: none if no start was deferred.
  void overran(const Found & section) noexcept;

  /// The delays above the bound since the last call, for the watchdog. Allocates.
  std::vector<Found> take();

  std::uint64_t entity_waits() const noexcept { return waits_.load(std::memory_order_relaxed); }
  std::int64_t longest_wait() const noexcept { return longest_.load(std::memory_order_relaxed); }
  std::uint64_t overlong_sections() const noexcept {
    return overlong_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t most = 16;
  void keep(const Found & found) noexcept;

  const model::Duration bound_;
  std::atomic<std::uint64_t> waits_{0};
  std::atomic<std::int64_t> longest_{0};
  std::atomic<std::uint64_t> overlong_{0};
  os::PiMutex mutex_{os::LockRank::middleware_waits};
  std::array<Found, most> found_ TAKT_GUARDED_BY(mutex_) = {};
  std::size_t count_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::executor
