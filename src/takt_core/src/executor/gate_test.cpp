// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "gate.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace takt::executor {
namespace {

TEST(GateTest, IsClosedUntilItIsOpened) {
  Gate gate;
  EXPECT_EQ(gate.look(), Gate::halted);
  gate.close(Gate::stopping);
  gate.open(Gate::halted);
  EXPECT_EQ(gate.look(), Gate::stopping);
  gate.open(Gate::stopping);
  EXPECT_EQ(gate.look(), 0U);
}

TEST(GateTest, TheLastSectionTellsOfADeferredStart) {
  Gate gate;
  gate.open(Gate::halted);
  EXPECT_FALSE(gate.defer()) << "no section is open";
  gate.enter_section();
  gate.enter_section();
  EXPECT_TRUE(gate.defer());
  EXPECT_FALSE(gate.leave_section());
  EXPECT_TRUE(gate.leave_section());
  gate.open(Gate::deferred);
  gate.enter_section();
  EXPECT_FALSE(gate.leave_section()) << "no start was deferred during this section";
  EXPECT_EQ(gate.look(), 0U);
}

// Either the start is deferred and the end of the section reports it, or it is not deferred.
TEST(GateTest, WhatIsDeferredHasAQuarterOfTheDelayLeftToStart) {
  EXPECT_EQ(Gate::longest_hold(200'000), 150'000);
  EXPECT_EQ(Gate::longest_hold(3), 3);
  EXPECT_EQ(Gate::longest_hold(0), 0);
}

TEST(GateTest, NoDeferredStartIsForgotten) {
  Gate gate;
  gate.open(Gate::halted);
  std::atomic<int> told{0};
  std::atomic<bool> end{false};
  std::thread job([&] {
    while (!end) {
      gate.enter_section();
      if (gate.leave_section()) {
        gate.open(Gate::deferred);
        ++told;
      }
    }
  });
  int deferred = 0;
  for (int i = 0; i < 20'000; ++i) {
    const int before = told;
    if (!gate.defer()) continue;
    ++deferred;
    while (told == before) std::this_thread::yield();
  }
  end = true;
  job.join();
  EXPECT_EQ(told, deferred);
}

}  // namespace
}  // namespace takt::executor
