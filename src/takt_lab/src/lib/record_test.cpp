// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <gtest/gtest.h>

#include <takt_core/model/job.hpp>

#include "testing/no_topics.hpp"

namespace takt::lab {
namespace {

using testing::no_topics;

constexpr model::Time t0 = 1000;

std::vector<std::uint32_t> flags(const TaskRecord & record) {
  std::vector<std::uint32_t> all;
  for (const JobRow & job : record.jobs()) all.push_back(job.flags);
  return all;
}

void run(TaskRecord & record, std::uint64_t index, model::Time start, model::Time finish) {
  record.begin(index, start);
  record.finish(finish, finish - start);
}

TEST(TaskRecordTest, EveryReleaseHasARow) {
  TaskRecord record(3, TaskGrid(5, 10, 50), no_topics, no_topics);
  run(record, 0, 1006, 1008);
  run(record, 1, 1015, 1019);
  record.close(t0, 1050, 0);
  ASSERT_EQ(record.jobs().size(), 5u);
  EXPECT_EQ(record.jobs()[1].task, 3u);
  EXPECT_EQ(record.jobs()[1].index, 1u);
  EXPECT_EQ(record.jobs()[1].release, 1015);
  EXPECT_EQ(record.jobs()[1].start, 1015);
  EXPECT_EQ(record.jobs()[1].finish, 1019);
  EXPECT_EQ(record.jobs()[1].cpu, 4);
  // The first release after the last job waits until the end and is unfinished; the later ones are skipped.
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{0, 0, 2, 1, 1}));
  EXPECT_EQ(record.jobs()[4].release, 1045);
  EXPECT_EQ(record.jobs()[4].finish, -1);
  EXPECT_EQ(record.jobs()[4].cpu, -1);
}

TEST(TaskRecordTest, KeepsWhatItTookToStartAJob) {
  TaskRecord record(0, TaskGrid(0, 10, 30), no_topics, no_topics);
  run(record, 0, 1000, 1002);
  record.begin(2, 1020);
  record.dispatched(7, 9);
  record.begin(3, 1030);  // beyond the grid
  record.dispatched(70, 90);
  record.close(t0, 1030, 0);
  EXPECT_EQ(record.jobs()[0].decision, -1);
  EXPECT_EQ(record.jobs()[0].dispatch_cpu, -1);
  EXPECT_EQ(record.jobs()[2].decision, 7);
  EXPECT_EQ(record.jobs()[2].dispatch_cpu, 9);
}

TEST(TaskRecordTest, ExtraJobsHaveRowsBehindTheGrid) {
  const std::vector<std::uint32_t> topics = {5};
  TaskRecord record(0, TaskGrid(0, 10, 30), no_topics, topics, 2);
  run(record, 0, 1000, 1002);
  record.begin_extra(model::first_extra_job, 1014, 1015);
  record.publish(0, 7, 1016, 1017);
  record.finish(1018, 3);
  record.mark_late(model::first_extra_job);
  record.begin_extra(model::first_extra_job + 2, 1019, 1020);  // no memory is reserved for it
  run(record, 2, 1020, 1022);
  record.close(t0, 1030, 0);
  ASSERT_EQ(record.jobs().size(), 4u);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{0, 1, 0, 8 | 4}));
  const JobRow & extra = record.jobs()[3];
  EXPECT_EQ(extra.index, model::first_extra_job);
  EXPECT_EQ(extra.release, 1014);
  EXPECT_EQ(extra.finish, 1018);
  ASSERT_EQ(record.publishes().size(), 1u);
  EXPECT_EQ(record.publishes()[0].index, model::first_extra_job);
  EXPECT_EQ(record.publishes()[0].sequence, 7);
}

TEST(TaskRecordTest, WhatWasPassedOverIsSkipped) {
  TaskRecord record(0, TaskGrid(0, 10, 50), no_topics, no_topics);
  run(record, 1, 1012, 1035);
  run(record, 4, 1041, 1044);
  record.close(t0, 1050, 0);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{1, 0, 1, 1, 0}));
}

TEST(TaskRecordTest, AfterTheLastStartTheOverrunRuleTells) {
  for (const auto & [waiting, expected] :
       std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>>{
           {0, {2, 1, 1, 1}}, {1, {2, 2, 1, 1}}, {2, {2, 2, 2, 1}}}) {
    TaskRecord record(0, TaskGrid(0, 10, 40), no_topics, no_topics);
    record.begin(0, 1001);
    record.close(t0, 1040, waiting);
    EXPECT_EQ(flags(record), expected) << waiting;
  }
}

TEST(TaskRecordTest, NothingRanAtAll) {
  TaskRecord record(0, TaskGrid(0, 10, 30), no_topics, no_topics);
  record.close(t0, 1030, 0);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{2, 1, 1}));
}

TEST(TaskRecordTest, AFinishAfterTheEndIsNone) {
  TaskRecord record(0, TaskGrid(0, 10, 20), no_topics, no_topics);
  run(record, 0, 1000, 1020);
  run(record, 1, 1020, 1021);
  record.close(t0, 1020, 0);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(record.jobs()[1].start, 1020);
  EXPECT_EQ(record.jobs()[1].finish, -1);
}

TEST(TaskRecordTest, AnUnmeasuredFinishIsAFinish) {
  TaskRecord record(0, TaskGrid(0, 10, 30), no_topics, no_topics);
  record.begin(0, 1000);
  record.finish_unmeasured();
  record.begin(2, 1020);
  record.close(t0, 1030, 0);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(record.jobs()[0].finish, -1);
  EXPECT_EQ(record.jobs()[0].cpu, -1);
}

TEST(TaskRecordTest, LateIsWhatTheExecutorSaid) {
  TaskRecord record(0, TaskGrid(0, 10, 20), no_topics, no_topics);
  run(record, 0, 1000, 1012);
  record.mark_late(0);
  record.mark_late(1);
  record.mark_late(17);
  record.close(t0, 1020, 1);
  EXPECT_EQ(flags(record), (std::vector<std::uint32_t>{4, 6}));
}

TEST(TaskRecordTest, KeepsReadsAndPublishesOfTheJobsThatRan) {
  const std::vector<std::uint32_t> reads = {4, 2};
  const std::vector<std::uint32_t> publishes = {7};
  TaskRecord record(1, TaskGrid(0, 10, 30), reads, publishes);
  record.begin(0, 1003);
  record.read(0, -1, -1);
  record.read(1, 5, 900);
  record.publish(0, 10, 1004, 1005);
  record.finish(1006, 2);
  record.begin(2, 1021);
  record.read(0, 0, 1010);
  record.read(1, 6, 1011);
  record.close(t0, 1030, 0);
  const auto used = record.reads();
  ASSERT_EQ(used.size(), 4u);
  EXPECT_EQ(used[0].topic, 4u);
  EXPECT_EQ(used[0].sequence, -1);
  EXPECT_EQ(used[0].start, 1003);
  EXPECT_EQ(used[3].topic, 2u);
  EXPECT_EQ(used[3].index, 2u);
  EXPECT_EQ(used[3].published, 1011);
  const auto sent = record.publishes();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].topic, 7u);
  EXPECT_EQ(sent[0].task, 1u);
  EXPECT_EQ(sent[0].sequence, 10);
  EXPECT_EQ(sent[0].returned, 1005);
}

TEST(TaskRecordTest, JobsBeyondTheGridLeaveNoTrace) {
  const std::vector<std::uint32_t> topic = {0};
  TaskRecord record(0, TaskGrid(0, 10, 10), topic, topic);
  record.begin(1, 1010);
  record.read(0, 1, 1);
  record.publish(0, 1, 1, 1);
  record.finish(1011, 1);
  record.close(t0, 1010, 0);
  EXPECT_EQ(record.jobs().size(), 1u);
  EXPECT_TRUE(record.reads().empty());
  EXPECT_TRUE(record.publishes().empty());
}

}  // namespace
}  // namespace takt::lab
