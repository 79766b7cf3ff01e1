// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <takt_core/os/clock.hpp>
#include <thread>

namespace takt::lab {
namespace {

TEST(InterruptTest, WithoutASignalItSleepsToTheInstant) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.sleep_until(os::now() - 1));
  const model::Time until = os::now() + 1'000'000;
  EXPECT_FALSE(interrupt.sleep_until(until));
  EXPECT_GE(os::now(), until);
  EXPECT_FALSE(interrupt.raised());
}

TEST(InterruptTest, ASignalEndsTheSleepAndStays) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Interrupt interrupt;
    std::thread other([signal] { kill(getpid(), signal); });
    EXPECT_TRUE(interrupt.sleep_until(model::never));
    EXPECT_TRUE(interrupt.raised());
    EXPECT_TRUE(interrupt.sleep_until(model::never));
    other.join();
  }
  // A new Interrupt does not see the signals of an earlier one.
  EXPECT_FALSE(Interrupt().raised());
}

TEST(InterruptTest, MayBeRaisedByTheProgram) {
  Interrupt interrupt;
  std::thread other([&interrupt] { interrupt.raise(); });
  EXPECT_TRUE(interrupt.sleep_until(model::never));
  other.join();
}

}  // namespace
}  // namespace takt::lab
