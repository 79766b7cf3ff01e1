// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// This program loads libtakt_inheritance.so before other libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "os/testing/effective_priority.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/lock_waits.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::os {

/// Holds the mutex for longer than any was held before while a more urgent thread waited. Its name
/// is known to the dynamic linker, as this program exports its symbols.
__attribute__((visibility("default"), noinline)) void hold_while_another_waits(std::mutex & mutex) {
  mutex.lock();
  const Thread urgent({.name = "urgent", .priority = 3}, [&] {
    mutex.lock();
    mutex.unlock();
  });
  while (testing::effective_priority() != 3) std::this_thread::yield();
  const Time last = now() + 2 * lock_waits()->longest_ns + 1'000'000;
  while (now() < last) std::this_thread::yield();
  mutex.unlock();
}

namespace {

using testing::effective_priority;

template <typename Mutex>
class InheritanceTest : public ::testing::Test {};
using Mutexes = ::testing::Types<std::mutex, std::recursive_mutex, std::timed_mutex>;
TYPED_TEST_SUITE(InheritanceTest, Mutexes);

TYPED_TEST(InheritanceTest, WhoeverHoldsAMutexRunsAtThePriorityOfWhoWaits) {
  if (!set_fifo(0, 2).ok()) GTEST_SKIP() << "no right to real-time priorities";
  set_fifo(0, 0);
  const std::uint64_t waits_before = lock_waits()->waits;
  TypeParam mutex;
  std::atomic<bool> waiting{false};
  mutex.lock();
  {
    const Thread urgent({.name = "urgent", .priority = 3}, [&] {
      waiting = true;
      mutex.lock();
      mutex.unlock();
    });
    while (!waiting) std::this_thread::yield();
    // Without inheritance this would never become true, and the test would not end.
    while (effective_priority() != 3) std::this_thread::yield();
    mutex.unlock();
  }
  EXPECT_EQ(effective_priority(), 0);
  const auto waits = lock_waits();
  EXPECT_EQ(waits->waits, waits_before + 1);
  EXPECT_GT(waits->longest_ns, 0);
  EXPECT_THAT(waits->where, ::testing::HasSubstr("inheritance_test"));
}

TEST(HeldMutexTest, WhoHeldTheMutexOfTheLongestWaitIsNamed) {
  if (!set_fifo(0, 2).ok()) GTEST_SKIP() << "no right to real-time priorities";
  set_fifo(0, 0);
  std::mutex mutex;
  hold_while_another_waits(mutex);
  EXPECT_THAT(lock_waits()->held_by,
              ::testing::AllOf(::testing::StartsWith("takt::os::hold_while_another_waits() in "),
                               ::testing::HasSubstr(", thread preload_")));
}

/// The number of times that a thread of this process has given up the CPU to wait.
int waits_of(int tid) {
  std::ifstream file("/proc/self/task/" + std::to_string(tid) + "/status");
  const std::string name = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::stoi(line.substr(name.size()));
  }
  return 0;
}

TEST(LentPriorityTest, WhoeverLiesAboveTheHighestLendsNothingAndGoesOnAsSoonAsItCan) {
  if (!set_fifo(0, 2).ok()) GTEST_SKIP() << "no right to real-time priorities";
  const int cpu = allowed_cpus().front();
  const std::uint64_t waits_before = lock_waits()->waits;
  std::thread([&] {
    pin(0, cpu);
    set_fifo(0, 2);
    lend_up_to(4);
    std::mutex mutex;
    std::atomic<int> tid{0};
    std::atomic<bool> locked{false};
    mutex.lock();
    const Thread above({.name = "above", .priority = 5, .cpu = cpu}, [&] {
      tid = static_cast<int>(gettid());
      mutex.lock();
      locked = true;
      mutex.unlock();
    });
    while (tid == 0 || waits_of(tid) < 5) std::this_thread::yield();
    EXPECT_EQ(effective_priority(), 2);
    mutex.unlock();
    // If it had lent its own priority, or waited at a lower one, it would not get the CPU. Bounded,
    // since this runs at a real-time priority.
    const Time last = now() + 20'000'000'000;
    while (!locked && now() < last) {
    }
    EXPECT_TRUE(locked);
  }).join();
  EXPECT_EQ(lock_waits()->waits, waits_before);
  lend_up_to(99);
}

int kind_of(pthread_mutex_t & mutex) {
  return mutex.__data.__kind;
}

TEST(LentPriorityTest, AMutexKeepsWhatItPromised) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t checking;
  pthread_mutex_init(&checking, &attributes);
  EXPECT_EQ(pthread_mutex_lock(&checking), 0);
  EXPECT_EQ(pthread_mutex_lock(&checking), EDEADLK);
  EXPECT_EQ(pthread_mutex_trylock(&checking), EBUSY);
  const timespec long_ago{};
  std::thread([&] {
    EXPECT_EQ(pthread_mutex_trylock(&checking), EBUSY);
    EXPECT_EQ(pthread_mutex_timedlock(&checking, &long_ago), ETIMEDOUT);
    EXPECT_EQ(pthread_mutex_clocklock(&checking, CLOCK_MONOTONIC, &long_ago), ETIMEDOUT);
  }).join();
  EXPECT_EQ(pthread_mutex_unlock(&checking), 0);
  EXPECT_EQ(pthread_mutex_unlock(&checking), EPERM);
  EXPECT_NE(kind_of(checking) & 32, 0);
  pthread_mutex_destroy(&checking);
  std::recursive_mutex recursive;
  recursive.lock();
  EXPECT_TRUE(recursive.try_lock());
  recursive.unlock();
  recursive.unlock();
  std::thread([&] { EXPECT_TRUE(recursive.try_lock()), recursive.unlock(); }).join();
}

TEST(LentPriorityTest, WhatOtherProcessesSeeIsLeftAlone) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_t shared;
  pthread_mutex_init(&shared, &attributes);
  const int before = kind_of(shared);
  EXPECT_EQ(pthread_mutex_lock(&shared), 0);
  EXPECT_EQ(pthread_mutex_unlock(&shared), 0);
  EXPECT_EQ(kind_of(shared), before);
  pthread_mutex_destroy(&shared);
}

TEST(LentPriorityTest, WhatWaitsOnAConditionIsWoken) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    ready = true;
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ready; });
  lock.unlock();
  other.join();
  EXPECT_NE(kind_of(*mutex.native_handle()) & 32, 0);
}

}  // namespace
}  // namespace takt::os
