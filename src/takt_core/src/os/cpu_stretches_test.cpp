// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/cpu_stretches.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

constexpr Time ms = 1'000'000;

/// A thread that computes on request.
class Computer {
 public:
  Computer() {
    while (tid_.load() == 0) std::this_thread::yield();
  }
  ~Computer() {
    ending_ = true;
    go_.post();
    thread_.join();
  }
  int tid() const { return tid_; }
  /// Makes the thread use `length` of CPU time; returns when it sleeps again.
  void compute(Time length) {
    length_ = length;
    go_.post();
    done_.wait();
    while (!sleeping(tid_)) std::this_thread::yield();
  }

 private:
  void run() {
    tid_ = thread_id();
    for (go_.wait(); !ending_; go_.wait()) {
      const Time end = thread_cpu() + length_;
      while (thread_cpu() < end) {
      }
      done_.post();
    }
  }

  std::atomic<int> tid_ = 0;
  std::atomic<bool> ending_ = false;
  std::atomic<Time> length_ = 0;
  Event go_;
  Event done_;
  std::thread thread_{[this] { run(); }};
};

TEST(CpuStretchesTest, OfThoseThatAreWatchedFromThenOn) {
  Computer computer;
  CpuStretches stretches;
  computer.compute(5 * ms);
  EXPECT_FALSE(stretches.of(computer.tid()));
  const std::string failure = stretches.watch({computer.tid()});
  if (!failure.empty()) {
    EXPECT_NE(failure.find("the kernel does not record switches"), std::string::npos) << failure;
    GTEST_SKIP() << failure;
  }
  stretches.look();
  ASSERT_TRUE(stretches.of(computer.tid()));
  EXPECT_EQ(stretches.of(computer.tid())->ns, 0);
  // Other threads may interrupt it, so the longest run may be shorter than `took`, but not longer.
  const Time before = now();
  computer.compute(3 * ms);
  const Time took = now() - before;
  stretches.look();
  const auto longest = stretches.of(computer.tid());
  EXPECT_GT(longest->ns, 0);
  EXPECT_LE(longest->ns, took);
  EXPECT_EQ(longest->lost, 0u);
  // A shorter run changes nothing, nor does watching the thread again.
  EXPECT_EQ(stretches.watch({computer.tid()}), "");
  computer.compute(0);
  stretches.look();
  EXPECT_GE(stretches.of(computer.tid())->ns, longest->ns);
  stretches.clear();
  EXPECT_FALSE(stretches.of(computer.tid()));
}

TEST(CpuStretchesTest, WhoHasTheCpuIsInOneThatGoesOn) {
  CpuStretches stretches;
  if (const auto failure = stretches.watch({thread_id()}); !failure.empty()) {
    GTEST_SKIP() << failure;
  }
  const Time end = thread_cpu() + ms;
  while (thread_cpu() < end) {
  }
  stretches.look();
  EXPECT_GT(stretches.of(thread_id())->ns, 0);
}

TEST(CpuStretchesTest, MoreRecordsThanThereIsRoomForAreCounted) {
  Computer computer;
  CpuStretches stretches;
  if (const auto failure = stretches.watch({computer.tid()}); !failure.empty()) {
    GTEST_SKIP() << failure;
  }
  for (int i = 0; i < 4000; ++i) computer.compute(0);
  stretches.look();
  computer.compute(0);
  stretches.look();
  EXPECT_GT(stretches.of(computer.tid())->lost, 0u);
}

TEST(CpuStretchesTest, OneThatHasEndedIsNoFault) {
  int tid = 0;
  std::thread([&tid] { tid = thread_id(); }).join();
  CpuStretches stretches;
  const std::string failure = stretches.watch({tid});
  EXPECT_TRUE(failure.empty() || failure.find("perf_event_paranoid") != std::string::npos)
      << failure;
}

}  // namespace
}  // namespace takt::os
