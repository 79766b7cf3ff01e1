// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "callback_meter.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace takt::lab {
namespace {

TEST(CallbackMeterTest, SumsFinishedJobs) {
  CallbackMeter meter;
  EXPECT_EQ(meter.used(), 0);
  meter.begin(100);
  meter.end(130);
  meter.begin(1000);
  meter.end(1005);
  EXPECT_EQ(meter.used(), 35);
}

TEST(CallbackMeterTest, TellsWhatEachThreadDidBetweenCallbacks) {
  CallbackMeter first;
  CallbackMeter second;
  std::thread([&] {
    EXPECT_EQ(first.begin(100), -1);
    first.end(130);
    EXPECT_EQ(second.begin(137), 7);
    second.end(140);
    // Another thread is at another point of its own clock.
    std::thread([&] {
      EXPECT_EQ(first.begin(5), -1);
      first.end(6);
    }).join();
    EXPECT_EQ(first.begin(150), 10);
    first.end(151);
  }).join();
}

TEST(CallbackMeterTest, CountsTheRunningJob) {
  CallbackMeter meter;
  meter.begin(0);
  meter.end(50);
  const model::Time begin = os::thread_cpu();
  meter.begin(begin);
  while (os::thread_cpu() < begin + 200'000) {
  }
  model::Duration used = 0;
  std::thread([&] { used = meter.used(); }).join();
  EXPECT_GE(used, 200'050);
  meter.end(begin + 300'000);
  EXPECT_EQ(meter.used(), 300'050);
}

}  // namespace
}  // namespace takt::lab
