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

/// Passes misses, overruns and exhausted budgets through a bounded ring from the threads that hold
/// the processor's lock to the user's handlers, which run on a thread of their own.
class NoticeHandler {
 public:
  /// `name` returns a task's name; `failed` is called in the catch block of an exception of a
  /// handler.
  NoticeHandler(std::function<TaskTable::Name(TaskId)> name, std::function<void()> failed);

  /// Replaces the handlers. Any thread. An old one may still be running on return.
  void set(Handlers handlers);

  bool wanted() const noexcept { return wanted_.load(std::memory_order_relaxed) != 0; }

  /// Adds a notice; called under the processor's lock, followed by wake(). False if there is no
  /// handler for it. Notices that find no room are dropped and counted.
  template <typename Notice>
  bool put(const Notice & notice) noexcept {
    const Notices notices(notice);
    const auto wanted = wanted_.load(std::memory_order_relaxed);
    return (wanted >> notices.index() & 1U) != 0 && put(notices);
  }
  void wake() noexcept { event_.post(); }

  /// To be called before the thread is created: forgets an earlier stop().
  void begin() noexcept { stopping_.store(false, std::memory_order_relaxed); }
  /// The thread's body: passes on notices until stop(), and then the remaining ones, unless rest()
  /// was called.
  void run();
  void stop() noexcept;
  /// Makes the thread rest once it has passed on all earlier notices, and blocks until then. One
  /// thread at a time.
  void rest() noexcept;
  /// Ends the rest; notices that were added meanwhile are passed on.
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
  std::atomic<std::uint32_t> wanted_{0};  // a bit per kind of notice that has a handler
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
