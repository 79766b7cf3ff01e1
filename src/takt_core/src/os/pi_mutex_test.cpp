// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/pi_mutex.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace takt::os {
namespace {

TEST(PiMutex, excludes) {
  constexpr int rounds = 20'000;
  PiMutex mutex;
  int number = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard lock(mutex);
        ++number;
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
  EXPECT_EQ(number, 4 * rounds);
}

}  // namespace
}  // namespace takt::os
