// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "start_log.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "testing/no_topics.hpp"

namespace takt::lab {
namespace {

using testing::no_topics;

std::vector<TaskRecord> two_records() {
  std::vector<TaskRecord> records;
  for (std::uint32_t task = 0; task < 2; ++task) {
    records.emplace_back(task, TaskGrid(0, 10, 30), no_topics, no_topics);
  }
  return records;
}

std::vector<std::int64_t> starts(TaskRecord & record) {
  record.close(1000, 1030, 0);
  std::vector<std::int64_t> all;
  for (const JobRow & job : record.jobs()) all.push_back(job.start);
  return all;
}

TEST(StartLogTest, EntersEachJobInItsTasksRecord) {
  StartLog log(10);
  log.note(1, 0, 1001);
  log.note(0, 0, 1002);
  log.note(0, 2, 1023);
  log.note(1, 7, 1070);  // beyond the grid
  auto records = two_records();
  log.enter(records);
  EXPECT_EQ(starts(records[0]), (std::vector<std::int64_t>{1002, -1, 1023}));
  EXPECT_EQ(starts(records[1]), (std::vector<std::int64_t>{1001, -1, -1}));
  EXPECT_EQ(records[0].jobs()[0].flags, 0u);
  EXPECT_EQ(records[0].jobs()[1].flags, job_flags::skipped);
}

TEST(StartLogTest, LeavesOutWhatFindsNoRoom) {
  StartLog log(1);
  log.note(0, 0, 1000);
  log.note(0, 1, 1010);
  auto records = two_records();
  log.enter(records);
  EXPECT_EQ(starts(records[0]), (std::vector<std::int64_t>{1000, -1, -1}));
}

TEST(StartLogTest, TakesNotesOfSeveralThreads) {
  constexpr std::uint64_t each = 10'000;
  StartLog log(2 * each);
  std::vector<TaskRecord> records;
  std::vector<std::thread> threads;
  for (std::uint32_t task = 0; task < 2; ++task) {
    records.emplace_back(task, TaskGrid(0, 1, each), no_topics, no_topics);
    threads.emplace_back([&log, task] {
      for (std::uint64_t k = 0; k < each; ++k) log.note(task, k, static_cast<model::Time>(k));
    });
  }
  for (std::thread & thread : threads) thread.join();
  log.enter(records);
  for (const TaskRecord & record : records) {
    for (std::uint64_t k = 0; k < each; ++k) {
      ASSERT_EQ(record.jobs()[k].start, static_cast<std::int64_t>(k));
    }
  }
}

}  // namespace
}  // namespace takt::lab
