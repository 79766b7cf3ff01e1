// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;

class ProcessorStatusTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(ProcessorStatusTest);

TEST_P(ProcessorStatusTest, TellsHowATaskStands) {
  Options asked = options("fp");
  asked.measure_responses = true;
  Rig rig(asked, rights());
  model::Task task{.id = "n/a", .period = 20 * ms, .deadline = 15 * ms, .priority = 7};
  const TaskId id = rig.add(task, [&](const JobInfo & job) {
    testing::burn(std::chrono::milliseconds(2));
    if (job.index >= 2) rig.processor().stop();  // a release may be skipped
  });
  task.deadline = model::never;
  task.phase = 3600 * 1000 * ms;
  const TaskId other = rig.add(task, [](const JobInfo &) {});
  rig.start();
  rig.join();
  const TaskStatus status = rig.processor().status(id);
  EXPECT_EQ(status.counters.finished, rig.processor().counters(id).finished);
  EXPECT_EQ(status.level, 1U);
  EXPECT_EQ(status.period, 20 * ms);
  EXPECT_EQ(status.deadline, 15 * ms);
  EXPECT_EQ(status.priority, 7);
  EXPECT_FALSE(status.suspended);
  ASSERT_NE(status.responses, nullptr);
  const ResponseCounts counts = status.responses->read();
  EXPECT_EQ(counts.jobs, status.counters.finished);
  EXPECT_GE(counts.percentile(0.001), 2 * ms);
  EXPECT_EQ(counts.least_margin, 15 * ms - counts.worst);
  const ResponseCounts none = rig.processor().status(other).responses->read();
  EXPECT_EQ(none.jobs, 0U);
  EXPECT_EQ(none.least_margin, model::never);
  EXPECT_THROW(rig.processor().status(TaskId{17}), std::invalid_argument);
}

TEST_P(ProcessorStatusTest, CountsNoResponsesUnlessAsked) {
  Rig rig(options("fp"), rights());
  const TaskId id = rig.add({.id = "n/a", .period = ms, .deadline = ms},
                            [&](const JobInfo &) { rig.processor().stop(); });
  rig.start();
  rig.join();
  EXPECT_EQ(rig.processor().status(id).responses, nullptr);
  EXPECT_GE(rig.processor().status(id).counters.finished, 1U);
}

}  // namespace
}  // namespace takt::executor
