// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/recursive_pi_mutex.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

TEST(RecursivePiMutexTest, ExcludesOthersUntilItsHolderHasUnlockedAsOften) {
  constexpr int rounds = 10'000;
  RecursivePiMutex mutex;
  int number = 0;
  int inside = 0;
  bool alone = true;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard first(mutex);
        ++inside;
        {
          const std::lock_guard second(mutex);
          const std::lock_guard third(mutex);
          ++number;
        }
        alone = alone && inside == 1;
        --inside;
      }
    });
  }
  for (std::thread & thread : threads) thread.join();
  EXPECT_EQ(number, 4 * rounds);
  EXPECT_TRUE(alone);
}

TEST(RecursivePiMutexTest, WakesWhoWaitedForIt) {
  RecursivePiMutex mutex;
  mutex.lock();
  mutex.lock();
  Event begun;
  bool has_it = false;
  Thread other({.name = "test.other"}, [&] {
    begun.post();
    const std::lock_guard lock(mutex);
    has_it = true;
  });
  begun.wait();
  while (!sleeping(other.tid())) std::this_thread::yield();
  mutex.unlock();
  EXPECT_FALSE(has_it);
  mutex.unlock();
  other.join();
  EXPECT_TRUE(has_it);
}

}  // namespace
}  // namespace takt::os
