// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "miss_handler.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace takt::executor {
namespace {

model::Miss miss(std::uint64_t index) {
  model::Miss result;
  result.job.index = index;
  return result;
}

TEST(MissHandler, handles_every_miss_in_order) {
  std::vector<std::uint64_t> seen;
  MissHandler handler([&](const model::Miss & what) { seen.push_back(what.job.index); });
  std::thread thread([&] { handler.run(); });
  constexpr std::uint64_t count = 10'000;
  std::uint64_t index = 0;
  while (index < count) {
    const std::uint64_t dropped = handler.dropped();
    handler.put(miss(index));
    handler.wake();
    if (handler.dropped() == dropped) {
      ++index;
    } else {
      std::this_thread::yield();
    }
  }
  handler.stop();
  thread.join();
  ASSERT_EQ(seen.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], i);
}

TEST(MissHandler, what_does_not_fit_is_counted) {
  std::vector<std::uint64_t> seen;
  MissHandler handler([&](const model::Miss & what) { seen.push_back(what.job.index); });
  for (std::uint64_t index = 0; index < 300; ++index) handler.put(miss(index));
  EXPECT_EQ(handler.dropped(), 300U - 256U);
  handler.stop();
  handler.run();
  EXPECT_EQ(seen.size(), 256U);
}

}  // namespace
}  // namespace takt::executor
