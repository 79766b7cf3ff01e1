// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/clock.hpp>
#include <thread>

#include "testing/no_topics.hpp"

namespace takt::lab {
namespace {

using testing::no_topics;

constexpr model::Duration period = 1'000'000;

TEST(ReleaseHeapTest, GivesReleasesInOrder) {
  ReleaseHeap heap(100, 10, {0, 5, 5});
  const auto expect = [&](model::Time release, std::uint32_t task, std::uint64_t index) {
    EXPECT_EQ(heap.top().release, release);
    EXPECT_EQ(heap.top().task, task);
    EXPECT_EQ(heap.top().index, index);
  };
  expect(100, 0, 0);
  heap.advance(100);
  expect(105, 1, 0);
  heap.advance(109);
  expect(105, 2, 0);
  heap.advance(109);
  expect(110, 0, 1);
  heap.advance(130);  // 120 and 130 have passed
  expect(115, 1, 1);
  heap.advance(0);
  heap.advance(125);  // moves task 2 to 135: its release at 125 is not after 125
  expect(125, 1, 2);
  heap.advance(125);
  expect(135, 1, 3);
  heap.advance(135);
  expect(135, 2, 3);
  heap.advance(135);
  expect(140, 0, 4);
}

struct FloorTest : ::testing::Test {
  FloorTest() {
    for (std::uint32_t task = 0; task < phases.size(); ++task) {
      records.emplace_back(task, TaskGrid(phases[task], period, length), no_topics, no_topics);
    }
  }

  /// Asserts that every release either ran at or after its instant, or was skipped.
  void check() {
    std::size_t ran = 0;
    log.enter(records);
    for (TaskRecord & record : records) {
      record.close(t0, t0 + length, 0);
      for (const JobRow & job : record.jobs()) {
        if (job.start >= 0) {
          EXPECT_EQ(job.flags, 0u);
          EXPECT_GE(job.start, job.release);
          ++ran;
        } else {
          EXPECT_NE(job.flags, 0u);
        }
      }
    }
    EXPECT_GT(ran, 0u);
  }

  const model::Duration length = 20 * period;
  const std::vector<model::Duration> phases = {0, 0, 300'000, 600'000};
  std::vector<TaskRecord> records;
  StartLog log{1000};
  const model::Time t0 = os::now() + period;
};

TEST_F(FloorTest, LoopRunsEveryRelease) {
  FloorLoop loop(ReleaseHeap(t0, period, phases), log, t0 + length);
  loop.run();
  check();
}

TEST_F(FloorTest, WakeUpRunsEveryRelease) {
  FloorWakeUp wake_up(ReleaseHeap(t0, period, phases), log, t0 + length);
  std::thread timer([&] { wake_up.make_releases(); });
  wake_up.run();
  timer.join();
  check();
}

TEST_F(FloorTest, StopEndsIt) {
  FloorLoop loop(ReleaseHeap(t0, period, phases), log, model::never);
  loop.stop();
  loop.run();
  FloorWakeUp wake_up(ReleaseHeap(t0, period, phases), log, model::never);
  std::thread timer([&] { wake_up.make_releases(); });
  wake_up.stop();
  wake_up.run();
  timer.join();
}

}  // namespace
}  // namespace takt::lab
