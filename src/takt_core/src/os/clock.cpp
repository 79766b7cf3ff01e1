// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/clock.hpp"

#include <cerrno>
#include <ctime>

namespace takt::os {
namespace {

Time time_of(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return Time{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

Time now() noexcept {
  return time_of(CLOCK_MONOTONIC);
}
Time thread_cpu() noexcept {
  return time_of(CLOCK_THREAD_CPUTIME_ID);
}
Time process_cpu() noexcept {
  return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

Time thread_cpu_of(int tid) noexcept {
  // The kernel's encoding of a thread's CPU clock (MAKE_THREAD_CPUCLOCK in linux/posix-timers.h).
  // pthread_getcpuclockid() needs a pthread_t, which is not known of the middleware's threads.
  constexpr clockid_t scheduled_thread_time = 6;
  timespec time{};
  const clockid_t clock = (~static_cast<clockid_t>(tid) * 8) | scheduled_thread_time;
  if (clock_gettime(clock, &time) != 0) {
    return -1;
  }
  return Time{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void sleep_until(Time instant) noexcept {
  timespec until{};
  until.tv_sec = static_cast<time_t>((instant > 0 ? instant : 0) / 1'000'000'000);
  until.tv_nsec = static_cast<long>((instant > 0 ? instant : 0) % 1'000'000'000);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace takt::os
