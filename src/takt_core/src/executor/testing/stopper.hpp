// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "takt_core/os/clock.hpp"

namespace takt::executor::testing {

/// A process that stops this process for a while (SIGSTOP, SIGCONT), or one of its threads, as a
/// debugger does. To be created before there are other threads.
class Stopper {
 public:
  /// An interval in which no thread of this process ran.
  struct Interval {
    os::Time from = 0;
    os::Time to = 0;
  };

  Stopper() {
    if (pipe2(orders_.data(), O_CLOEXEC) != 0 || pipe2(replies_.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe");
    }
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("no process");
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(orders_[1]);
      close(replies_[0]);
      serve(parent);
    }
    close(orders_[0]);
    close(replies_[1]);
    prctl(PR_SET_PTRACER, child_);
  }
  ~Stopper() {
    close(orders_[1]);
    close(replies_[0]);
    waitpid(child_, nullptr, 0);
  }
  Stopper(const Stopper &) = delete;
  Stopper & operator=(const Stopper &) = delete;

  /// Stops the process for `length` ns, and returns afterwards.
  Interval stop_for(os::Time length) { return ask({.length = length}); }
  /// Stops one of its threads; returns an empty interval if the host does not permit it.
  Interval stop_thread_for(int tid, os::Time length) { return ask({.length = length, .tid = tid}); }

 private:
  struct Order {
    os::Time length = 0;
    int tid = 0;  ///< 0: all threads of the process
  };

  Interval ask(const Order & order) {
    Interval interval;
    if (write(orders_[1], &order, sizeof order) != sizeof order ||
        read(replies_[0], &interval, sizeof interval) != sizeof interval) {
      throw std::runtime_error("the stopper has ended");
    }
    return interval;
  }

  // Restricted to functions that may be called after fork() in a process with other threads.
  [[noreturn]] void serve(pid_t parent) const {
    Order order;
    while (read(orders_[0], &order, sizeof order) == sizeof order) {
      Interval interval;
      if (stop(parent, order.tid)) {
        interval.from = os::now();
        os::sleep_until(interval.from + order.length);
        interval.to = os::now();
        if (order.tid == 0) {
          kill(parent, SIGCONT);
        } else {
          ptrace(PTRACE_DETACH, order.tid, nullptr, nullptr);
        }
      }
      if (write(replies_[1], &interval, sizeof interval) != sizeof interval) break;
    }
    _exit(0);
  }

  static bool stop(pid_t process, int tid) {
    if (tid != 0) {
      return ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) == 0 &&
             ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0 &&
             waitpid(tid, nullptr, __WALL) == tid;
    }
    kill(process, SIGSTOP);
    while (!stopped(process)) os::sleep_until(os::now() + 1'000'000);
    return true;
  }

  /// Whether the process is stopped, by /proc.
  static bool stopped(pid_t process) {
    std::array<char, 64> path{};
    std::array<char, 256> text{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", static_cast<int>(process));
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = read(file, text.data(), text.size() - 1);
    close(file);
    const char * end = length > 0 ? std::strrchr(text.data(), ')') : nullptr;
    return end != nullptr && end[1] == ' ' && end[2] == 'T';
  }

  std::array<int, 2> orders_{-1, -1};
  std::array<int, 2> replies_{-1, -1};
  pid_t child_ = 0;
};

}  // namespace takt::executor::testing
