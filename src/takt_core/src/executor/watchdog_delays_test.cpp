// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What waits for a callback that does not return, as reported by the watchdog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "takt_core/os/event.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"
#include "watchdog.hpp"

namespace takt::executor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Rig;
using testing::Watched;

class WatchdogDelaysTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(WatchdogDelaysTest);

TEST_P(WatchdogDelaysTest, SaysWhatTheEndOfSpinWaitsFor) {
  Rig rig(watched("fp"), rights());
  os::Event go_on;
  Watched<bool> inside;
  const auto task = rig.add_event("n/stuck", 1, [&](const JobInfo &) {
    inside.set(true);
    go_on.wait();
  });
  rig.start();
  rig.processor().release(task);
  ASSERT_TRUE(inside.wait_for(true));
  rig.processor().stop();
  EXPECT_TRUE(rig.log().wait_for("spin() ends when callback 'n/stuck' returns"));
  EXPECT_TRUE(rig.processor().spinning());
  go_on.post();
  EXPECT_EQ(rig.join(), nullptr);
  EXPECT_THAT(rig.log().read(), Contains(HasSubstr("spin() ends when")).Times(1));
}

TEST_P(WatchdogDelaysTest, SaysWhatARemovalWaitsFor) {
  Rig rig(watched("fp"), rights());
  os::Event go_on;
  Watched<bool> inside;
  const auto stuck = rig.add_event("n/stuck", 1, [&](const JobInfo &) {
    inside.set(true);
    go_on.wait();
  });
  rig.start();
  rig.processor().release(stuck);
  ASSERT_TRUE(inside.wait_for(true));
  Watched<int> runs;
  // A task added meanwhile runs.
  const auto late = rig.add_event("n/late", 2, [&](const JobInfo &) { runs.add(1); });
  rig.processor().release(late);
  if (preempts()) {
    EXPECT_TRUE(runs.wait_for(1));
  }
  std::thread changes([&] { rig.processor().remove_task(stuck); });
  EXPECT_TRUE(rig.log().wait_for("callback 'n/stuck' was removed"));
  go_on.post();
  changes.join();
  rig.stop();
}

}  // namespace
}  // namespace takt::executor
