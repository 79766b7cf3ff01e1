// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "job_notes.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/clock.hpp>

namespace takt::lab {
namespace {

const std::vector<std::uint32_t> topics = {3};

JobInfo job(std::uint64_t index, model::Time start) {
  JobInfo job;
  job.index = index;
  job.start = start;
  job.decision = 7;
  return job;
}

TEST(JobNotesTest, OfAJobAreItsRowsWithTheClocksOfItsThread) {
  JobNotes notes(TaskRecord(2, TaskGrid(0, 10, 30), topics, topics));
  for (const std::uint64_t index : {0u, 2u}) {
    const model::Time before = os::now();
    const model::Time began = notes.begin(job(index, before));
    notes.read(0, 5, 900);
    notes.published(0, 6, before);
    notes.finish(began);
    const model::Time after = os::now();
    const JobRow & row = notes.record().jobs()[index];
    EXPECT_EQ(row.start, before);
    EXPECT_EQ(row.decision, 7);
    EXPECT_EQ(row.dispatch_cpu < 0, index == 0);  // not known for the first job of a thread
    EXPECT_GE(row.finish, before);
    EXPECT_LE(row.finish, after);
    EXPECT_GE(row.cpu, 0);
    EXPECT_LE(row.cpu, after - before);
  }
  const auto reads = notes.record().reads();
  const auto publishes = notes.record().publishes();
  ASSERT_EQ(reads.size(), 2u);
  EXPECT_EQ(reads[1].index, 2u);
  EXPECT_EQ(reads[1].sequence, 5);
  ASSERT_EQ(publishes.size(), 2u);
  EXPECT_GE(publishes[0].returned, publishes[0].stamp);
  EXPECT_GE(notes.places().cpu, 0);
  const model::Duration cpu = notes.record().jobs()[0].cpu + notes.record().jobs()[2].cpu;
  EXPECT_EQ(notes.meter().used(), cpu);
}

TEST(JobNotesTest, ExtraJobsKeepTheirRelease) {
  JobNotes notes(TaskRecord(0, TaskGrid(0, 10, 10), {}, {}, 1));
  JobInfo extra = job(model::first_extra_job, 12);
  extra.release = 11;
  notes.finish(notes.begin(extra));
  EXPECT_EQ(notes.record().jobs()[1].release, 11);
  EXPECT_EQ(notes.record().jobs()[1].start, 12);
}

}  // namespace
}  // namespace takt::lab
