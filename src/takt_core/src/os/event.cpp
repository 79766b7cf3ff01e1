// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/event.hpp"

#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <limits>

namespace takt::os {
namespace {

constexpr std::uint32_t empty = 0;
constexpr std::uint32_t posted = 1;
constexpr std::uint32_t waiting = 2;
constexpr Time forever = std::numeric_limits<Time>::max();

[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint64_t waits = 0;

#ifdef __SANITIZE_THREAD__
// ThreadSanitizer defers a signal until its thread makes an intercepted call, and the kernel
// restarts a futex wait without timeout: a thread that waits here would never handle the signal.
constexpr bool keeps_signals = true;
void handle_signals() noexcept {
  poll(nullptr, 0, 0);  // does not sleep
}
#else
constexpr bool keeps_signals = false;
void handle_signals() noexcept {}
#endif

// Returns whether the instant was reached.
bool sleep_while_waiting(std::atomic<std::uint32_t> & state, Time instant) noexcept {
  static_assert(sizeof state == sizeof(std::uint32_t));
  timespec until{};
  const bool timed = instant != forever || keeps_signals;
  if (timed) {
    if (instant < 0) {
      instant = 0;
    }
    until.tv_sec = static_cast<time_t>(instant / 1'000'000'000);
    until.tv_nsec = static_cast<long>(instant % 1'000'000'000);
  }
  // The timeout is absolute. For a real-time thread it expires in hard interrupt context on
  // PREEMPT_RT, too, where that of a timerfd would wait for a soft-interrupt thread with a lower
  // priority than the workers.
  const long result = syscall(SYS_futex, &state, FUTEX_WAIT_BITSET_PRIVATE, waiting,
                              timed ? &until : nullptr, nullptr, FUTEX_BITSET_MATCH_ANY);
  const bool late = result == -1 && errno == ETIMEDOUT;
  handle_signals();
  return late;
}

}  // namespace

void Event::post() noexcept {
  // The event may be destroyed as soon as the post is visible: only its address is used afterwards.
  if (state_.exchange(posted, std::memory_order_acq_rel) == waiting) {
    syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

void Event::wait() noexcept {
  wait_until(forever);
}

bool Event::wait_until(Time instant) noexcept {
  std::uint32_t expected = empty;
  if (state_.compare_exchange_strong(expected, waiting, std::memory_order_acq_rel)) {
    count_wait();
    while (state_.load(std::memory_order_relaxed) == waiting) {
      if (sleep_while_waiting(state_, instant)) {
        break;
      }
    }
  }
  return state_.exchange(empty, std::memory_order_acq_rel) == posted;
}

std::uint64_t waits_of_thread() noexcept {
  return waits;
}

void count_wait() noexcept {
  ++waits;
}

}  // namespace takt::os
