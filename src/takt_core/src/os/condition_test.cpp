// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/condition.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "takt_core/os/thread.hpp"

namespace takt::os {
namespace {

TEST(ConditionTest, IsWaitedForBySeveralThreads) {
  Mutex mutex;
  Condition changed;
  int waiting = 0;
  bool so = false;
  const auto wait = [&] {
    UniqueLock lock(mutex);
    ++waiting;
    changed.notify_all();
    changed.wait(lock, [&] { return so; });
    --waiting;
  };
  Thread first({.name = "test.first"}, wait);
  Thread second({.name = "test.second"}, wait);
  {
    UniqueLock lock(mutex);
    changed.wait(lock, [&] { return waiting == 2; });
    so = true;
  }
  changed.notify_all();
  first.join();
  second.join();
  EXPECT_EQ(waiting, 0);
  // It was unlocked as often as it was locked.
  ASSERT_TRUE(mutex.try_lock());
  mutex.unlock();
}

TEST(ConditionTest, IsNotWaitedForBeyondAnInstant) {
  Mutex mutex;
  Condition never;
  UniqueLock lock(mutex);
  const auto so = [] { return false; };
  EXPECT_FALSE(never.wait_for(lock, std::chrono::milliseconds(1), so));
  EXPECT_FALSE(never.wait_until(lock, std::chrono::steady_clock::now(), so));
}

TEST(UniqueLockTest, IsGivenBackAndTakenAgain) {
  Mutex mutex;
  {
    UniqueLock lock(mutex);
    lock.unlock();
    ASSERT_TRUE(mutex.try_lock());
    mutex.unlock();
    lock.lock();
  }
  UniqueLock lock(mutex);
  lock.unlock();
}

}  // namespace
}  // namespace takt::os
