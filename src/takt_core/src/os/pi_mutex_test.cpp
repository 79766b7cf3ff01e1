// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/pi_mutex.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::os {
namespace {

TEST(PiMutexTest, Excludes) {
  constexpr int rounds = 20'000;
  PiMutex mutex;
  int number = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard lock(mutex);
        ++number;
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(number, 4 * rounds);
}

TEST(PiMutexTest, CanBeLockedInAChildProcess) {
  PiMutex mutex;
  mutex.lock();
  mutex.unlock();
  const pid_t child = fork();
  if (child == 0) {
    std::thread other([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::lock_guard lock(mutex);
      }
    });
    for (int i = 0; i < 1000; ++i) {
      const std::lock_guard lock(mutex);
    }
    other.join();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// One CPU, three priorities: while the high thread waits for the low one's lock, the low one must
// run although the middle one never gives up the CPU. Without real-time rights they share the CPU
// anyway.
TEST(PiMutexTest, TheHolderInheritsPriority) {
  const int cpu = allowed_cpus().front();
  PiMutex mutex;
  Event locked;
  Event go;
  Event middle_runs;
  std::atomic<bool> high_has_it{false};
  bool seen_by_middle = false;
  Thread low({.name = "test.low", .priority = 2, .cpu = cpu}, [&] {
    mutex.lock();
    locked.post();
    go.wait();
    mutex.unlock();
  });
  locked.wait();
  Thread middle;
  Thread high({.name = "test.high", .priority = 4, .cpu = cpu}, [&] {
    go.post();
    middle = Thread({.name = "test.middle", .priority = 3, .cpu = cpu}, [&] {
      middle_runs.post();
      const Time end = now() + 5'000'000'000;
      while (!high_has_it && now() < end) {
      }
      seen_by_middle = high_has_it;
    });
    middle_runs.wait();
    const std::lock_guard lock(mutex);
    high_has_it = true;
  });
  high.join();
  low.join();
  middle.join();
  EXPECT_TRUE(seen_by_middle);
}

}  // namespace
}  // namespace takt::os
