// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <gtest/gtest.h>

#include <takt_core/model/job.hpp>

#include "error.hpp"

namespace takt::lab {
namespace {

Spec two_tasks() {
  Spec spec;
  spec.nodes = {{"n", true, {}}};
  CallbackSpec callback;
  callback.period = 10;
  callback.phase = 3;
  callback.wcet = 7;
  spec.nodes[0].callbacks = {callback, callback};
  spec.nodes[0].callbacks[1].period = 20;
  spec.nodes[0].callbacks[1].wcet = 9;
  return spec;
}

JobRow row(std::uint32_t task, std::uint64_t index, model::Time release, model::Time finish,
           model::Duration cpu) {
  return {.task = task, .index = index, .release = release, .finish = finish, .cpu = cpu};
}

TEST(ReplayTest, WithoutARecordEveryJobTakesItsWorstCase) {
  const Spec spec = two_tasks();
  const Replay replay(spec);
  EXPECT_EQ(replay.t0(), 0);
  EXPECT_EQ(replay.execution(0, 0), 7);
  EXPECT_EQ(replay.execution(1, 99), 9);
}

TEST(ReplayTest, TakesWhatFinishedFromTheRecord) {
  const Spec spec = two_tasks();
  Replay replay(spec);
  replay.take(std::vector<JobRow>{row(0, 0, 1003, 1006, 2), row(0, 1, 1013, -1, -1),
                                  row(1, 0, 1003, 1011, 5)},
              "jobs.npy");
  EXPECT_EQ(replay.t0(), 1000);
  EXPECT_EQ(replay.execution(0, 0), 2);
  EXPECT_EQ(replay.execution(0, 1), 7);
  EXPECT_EQ(replay.execution(0, 2), 7);
  EXPECT_EQ(replay.execution(1, 0), 5);
}

TEST(ReplayTest, WhatIsNotInTheRecordIsOverloadedAsTheSpecSays) {
  Spec spec = two_tasks();
  spec.overload = {13, 33, 3};
  Replay replay(spec);
  EXPECT_EQ(replay.execution(0, 0), 7);
  EXPECT_EQ(replay.execution(0, 1), 21);
  replay.take(std::vector<JobRow>{row(0, 0, 1003, 1006, 2), row(0, 1, 1013, 1020, 20)}, "jobs.npy");
  EXPECT_EQ(replay.execution(0, 1), 20);
  EXPECT_EQ(replay.execution(0, 2), 21);
  EXPECT_EQ(replay.execution(0, 3), 7);
}

TEST(ReplayTest, ExtraJobsAreCountedApart) {
  const Spec spec = two_tasks();
  Replay replay(spec);
  const std::uint64_t extra = model::first_extra_job;
  replay.take(std::vector<JobRow>{row(0, extra + 1, 777, 1006, 4), row(0, 0, 1003, 1006, 2)},
              "jobs.npy");
  EXPECT_EQ(replay.t0(), 1000);
  EXPECT_EQ(replay.execution(0, 0), 2);
  EXPECT_EQ(replay.execution(0, extra), 7);
  EXPECT_EQ(replay.execution(0, extra + 1), 4);
  EXPECT_EQ(replay.execution(0, extra + 2), 7);
  EXPECT_THROW(replay.take(std::vector<JobRow>{row(0, extra + 1, 777, 1006, 4)}, "jobs.npy"),
               Error);
}

TEST(ReplayTest, ARecordOfAnotherSpecIsRefused) {
  const Spec spec = two_tasks();
  const auto error = [&](const std::vector<JobRow> & rows) -> std::string {
    try {
      Replay(spec).take(rows, "jobs.npy");
    } catch (const Error & caught) {
      return caught.what();
    }
    return "no error";
  };
  EXPECT_EQ(error({row(2, 0, 3, 4, 1)}), "jobs.npy: row 0: the spec has no task 2");
  EXPECT_EQ(
      error({row(0, 0, 1003, 1004, 1), row(0, 1, 1014, 1015, 1)}),
      "jobs.npy: row 1: its release is not on the grid of the spec; the record is of another spec");
  EXPECT_EQ(error({row(0, 1ULL << 40, 1003, 1004, 1)}),
            "jobs.npy: row 0: the job index 1099511627776 is too large");
  EXPECT_EQ(error({row(0, 5, 1053, 1054, 1)}),
            "jobs.npy: does not contain every release of task 0");
}

TEST(StallsTest, AreSortedAndMerged) {
  using Stalls = std::vector<std::pair<model::Time, model::Time>>;
  EXPECT_EQ(disjoint({}), Stalls{});
  const std::vector<StallRow> rows = {{0, 150, 160}, {1, 90, 105},  {0, 155, 170},
                                      {1, 170, 171}, {0, 152, 153}, {0, 7, 7}};
  EXPECT_EQ(disjoint(rows), (Stalls{{90, 105}, {150, 171}}));
  EXPECT_EQ(disjoint(rows, 0), (Stalls{{150, 170}}));
  EXPECT_EQ(disjoint(rows, 1), (Stalls{{90, 105}, {170, 171}}));
}

}  // namespace
}  // namespace takt::lab
