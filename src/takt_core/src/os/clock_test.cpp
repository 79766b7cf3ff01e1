// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/clock.hpp"

#include <gtest/gtest.h>

namespace takt::os {
namespace {

TEST(Clock, never_goes_back) {
  Time before = now();
  for (int i = 0; i < 1000; ++i) {
    const Time time = now();
    EXPECT_GE(time, before);
    before = time;
  }
}

TEST(Clock, work_costs_cpu_time_of_the_thread_and_of_the_process) {
  const Time process = process_cpu();
  const Time thread = thread_cpu();
  while (thread_cpu() < thread + 1'000'000) {
  }
  // The two are added up at different moments.
  EXPECT_GE(process_cpu() - process, 500'000);
}

}  // namespace
}  // namespace takt::os
