// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <stdexcept>

#include "takt/time.hpp"

namespace takt::testing {

/// Sets CLOCK_REALTIME forward and back. A child process does this, so that the clock is corrected
/// at the end even if the test crashes.
class WallClock {
 public:
  WallClock() {
    if (pipe2(orders_.data(), O_CLOEXEC) != 0 || pipe2(replies_.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe");
    }
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("no process");
    if (child_ == 0) {
      close(orders_[1]);
      close(replies_[0]);
      serve();
    }
    close(orders_[0]);
    close(replies_[1]);
    may_be_set_ = order(0) == 0;
  }
  ~WallClock() {
    close(orders_[1]);
    close(replies_[0]);
    waitpid(child_, nullptr, 0);
  }
  WallClock(const WallClock &) = delete;
  WallClock & operator=(const WallClock &) = delete;

  /// Returns whether the clock can be set, which requires CAP_SYS_TIME.
  bool may_be_set() const noexcept { return may_be_set_; }
  void step(Duration by) {
    if (order(by.count()) != 0) throw std::runtime_error("cannot set the clock");
  }

 private:
  int order(std::int64_t step) {
    int error = -1;
    if (write(orders_[1], &step, sizeof step) != sizeof step ||
        read(replies_[0], &error, sizeof error) != sizeof error) {
      throw std::runtime_error("who sets the clock has ended");
    }
    return error;
  }

  // Runs in a child of a process that may have several threads, so it calls only functions that are
  // safe after fork().
  [[noreturn]] void serve() const {
    std::int64_t sum = 0;
    std::int64_t step = 0;
    while (read(orders_[0], &step, sizeof step) == sizeof step) {
      const int error = set(step);
      if (error == 0) sum += step;
      if (write(replies_[1], &error, sizeof error) != sizeof error) break;
    }
    set(-sum);
    _exit(0);
  }
  static int set(std::int64_t step) {
    constexpr std::int64_t second = 1'000'000'000;
    timex request{};
    request.modes = ADJ_SETOFFSET | ADJ_NANO;
    // The part below a second must not be negative, so the seconds are rounded down.
    request.time.tv_sec = step / second - (step % second < 0 ? 1 : 0);
    request.time.tv_usec = (step % second + second) % second;
    return clock_adjtime(CLOCK_REALTIME, &request) < 0 ? errno : 0;
  }

  std::array<int, 2> orders_{-1, -1};
  std::array<int, 2> replies_{-1, -1};
  pid_t child_ = 0;
  bool may_be_set_ = false;
};

}  // namespace takt::testing
