// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "takt_core/executor/options.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "task_table.hpp"

namespace takt::executor {

/// Carries misses, overruns and used up budgets over a bounded ring from whoever holds the
/// processor's lock to the user's functions on a thread of its own.
class NoticeHandler {
 public:
  /// `name` gives a task's name, `failed` is called inside the catch block of what a function threw.
  NoticeHandler(std::function<TaskTable::Name(TaskId)> name, std::function<void()> failed);

  /// Any thread. One of the old functions may still be running on return.
  void set(Handlers handlers);

  bool wanted() const noexcept { return wanted_.load(std::memory_order_relaxed) != 0; }

  /// Under the processor's lock. False if nobody wants it. What does not fit is dropped and counted;
  /// follow with wake().
  template <typename Notice>
  bool put(const Notice & notice) noexcept {
    const Notices notices(notice);
    const auto wanted = wanted_.load(std::memory_order_relaxed);
    return (wanted >> notices.index() & 1U) != 0 && put(notices);
  }
  void wake() noexcept { event_.post(); }

  /// Before its thread is made: forgets a stop() that no thread has seen.
  void begin() noexcept { stopping_.store(false, std::memory_order_relaxed); }
  /// The thread's body: handles what comes until stop(), and what is left then, unless it rests.
  void run();
  void stop() noexcept;
  /// While there is that thread: it rests when all has been handled that was put before, which this
  /// waits for. One thread at a time.
  void rest() noexcept;
  /// It handles what comes again, and what came meanwhile.
  void resume() noexcept;

  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  using Notices = std::variant<Miss, Overrun, Exhaustion>;
  static constexpr std::uint32_t capacity = 256;

  bool put(const Notices & notice) noexcept;
  void handle(const Notices & notice);

  const std::function<TaskTable::Name(TaskId)> name_;
  const std::function<void()> failed_;
  os::PiMutex mutex_{os::LockRank::notice_handler};
  std::shared_ptr<const Handlers> handlers_ TAKT_GUARDED_BY(mutex_) =
      std::make_shared<const Handlers>();
  std::atomic<std::uint32_t> wanted_{0};  // a bit for each kind that has a function
  std::array<Notices, capacity> ring_;
  std::atomic<std::uint32_t> written_{0};
  std::atomic<std::uint32_t> read_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<bool> stopping_{false};
  enum class State : std::uint8_t { handles, is_to_rest, rests };
  std::atomic<State> state_{State::handles};
  os::Event event_;
  os::Event rests_;
};

}  // namespace takt::executor
