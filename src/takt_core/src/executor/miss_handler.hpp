// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "takt_core/model/scheduler.hpp"
#include "takt_core/os/event.hpp"

namespace takt::executor {

/// Carries misses over a bounded ring from whoever holds the processor's lock to the user's
/// function on a thread of its own.
class MissHandler {
 public:
  /// `handle` may take its time; it must not throw.
  explicit MissHandler(std::function<void(const model::Miss &)> handle);

  /// Under the processor's lock. What does not fit is dropped and counted; follow with wake().
  void put(const model::Miss & miss) noexcept;
  void wake() noexcept { event_.post(); }

  /// The thread's body: handles misses until stop(), and what is left then.
  void run();
  void stop() noexcept;

  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t capacity = 256;

  std::function<void(const model::Miss &)> handle_;
  std::array<model::Miss, capacity> ring_;
  std::atomic<std::uint32_t> written_{0};
  std::atomic<std::uint32_t> read_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<bool> stopping_{false};
  os::Event event_;
};

}  // namespace takt::executor
