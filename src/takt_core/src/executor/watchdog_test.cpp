// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "watchdog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Rig;
using testing::Watched;

constexpr model::Duration ms = 1'000'000;

class WatchdogTest : public testing::ModeTest {
 protected:
  // Waits until the log names the task.
  static bool reported(Watched<std::string> & log, const std::string & id) {
    return log.wait_until([&](const std::string & lines) {
      return lines.find("callback '" + id + "' blocks") != std::string::npos;
    });
  }
};
TAKT_FOR_ALL_MODES(WatchdogTest);

TEST_P(WatchdogTest, names_callbacks_that_block_now_and_then_and_only_those) {
  Watched<std::string> log;
  Rig rig(options("rm"), rights(), [&](const std::string & line) { log.add(line + "\n"); });
  rig.add({.id = "n/sleeper", .period = 5 * ms, .deadline = 5 * ms},
          [](const JobInfo &) { os::sleep_until(os::now() + ms / 2); });
  rig.add({.id = "n/worker", .period = 5 * ms, .deadline = 5 * ms},
          [](const JobInfo &) { testing::burn(std::chrono::microseconds(100)); });
  // takt's business, not the callback's.
  rig.add({.id = "n/publisher", .period = 5 * ms, .deadline = 5 * ms}, [](const JobInfo &) {
    const Processor::Section section;
    os::sleep_until(os::now() + ms / 4);
  });
  rig.start();
  EXPECT_TRUE(reported(log, "n/sleeper"));
  rig.stop();
  EXPECT_THAT(log.get(), Not(HasSubstr("n/worker")));
  EXPECT_THAT(log.get(), Not(HasSubstr("n/publisher")));
  EXPECT_GE(rig.processor().statistics().blocked_callbacks, 1U);
}

TEST_P(WatchdogTest, names_a_callback_while_it_blocks_and_only_once) {
  Watched<std::string> log;
  Rig rig(options("rm"), rights(), [&](const std::string & line) { log.add(line + "\n"); });
  os::Event end;
  std::atomic<int> runs{0};
  rig.add({.id = "n/stuck", .period = 5 * ms, .deadline = 5 * ms}, [&](const JobInfo &) {
    if (++runs == 1) end.wait();
    if (runs > 3) rig.processor().stop();
  });
  rig.start();
  EXPECT_TRUE(reported(log, "n/stuck"));
  EXPECT_EQ(runs, 1);
  end.post();
  rig.join();
  const std::string lines = log.get();
  EXPECT_EQ(lines.find("n/stuck"), lines.rfind("n/stuck"));
}

TEST(Watchdog, gives_middleware_threads_that_appear_later_their_priority) {
  Rig rig({.policy = "rm"});
  Watched<int> runs;
  rig.add({.id = "n/a", .period = ms, .deadline = ms}, [&](const JobInfo &) { runs.add(1); });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(1));
  os::Event end_data;
  os::Event end_discovery;
  const os::Thread data({.name = "dds.udp.7411"}, [&] { end_data.wait(); });
  const os::Thread discovery({.name = "dds.udp.7410"}, [&] { end_discovery.wait(); });
  const auto planned = [&] {
    for (const PlannedThread & thread : rig.processor().grants().threads) {
      if (thread.tid == data.tid()) return true;
    }
    return false;
  };
  while (!planned()) ASSERT_TRUE(runs.wait_for_at_least(runs.get() + 10));
  // Without rights they stay as they are; that it was asked for is recorded all the same.
  EXPECT_EQ(os::realtime_priority(data.tid()),
            testing::realtime_available() ? PriorityPlan{}.middleware : 0);
  EXPECT_EQ(os::realtime_priority(discovery.tid()), PriorityPlan{}.background);
  end_data.post();
  end_discovery.post();
}

}  // namespace
}  // namespace takt::executor
