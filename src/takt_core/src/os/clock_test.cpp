// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/clock.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

TEST(ClockTest, NeverGoesBack) {
  Time before = now();
  for (int i = 0; i < 1000; ++i) {
    const Time time = now();
    EXPECT_GE(time, before);
    before = time;
  }
}

TEST(ClockTest, WorkCostsCpuTimeOfTheThreadAndOfTheProcess) {
  const Time process = process_cpu();
  const Time thread = thread_cpu();
  while (thread_cpu() < thread + 1'000'000) {
  }
  // The kernel updates the two at different moments.
  EXPECT_GE(process_cpu() - process, 500'000);
}

TEST(ClockTest, AnotherThreadReadsTheSameCpuTime) {
  const int tid = thread_id();
  const Time before = thread_cpu();
  Time seen = -1;
  std::thread([&] { seen = thread_cpu_of(tid); }).join();
  EXPECT_GE(seen, before);
  EXPECT_LE(seen, thread_cpu());
}

TEST(ClockTest, AThreadThatIsGoneHasNoCpuTime) {
  int tid = 0;
  std::thread([&] { tid = thread_id(); }).join();
  // The kernel may need a moment to remove the thread.
  while (thread_cpu_of(tid) >= 0) {
  }
}

TEST(ClockTest, SleepsUntilTheInstantAndNotAtAllForThePast) {
  const Time until = now() + 1'000'000;
  sleep_until(until);
  EXPECT_GE(now(), until);
  sleep_until(until);
  sleep_until(-1);
}

}  // namespace
}  // namespace takt::os
