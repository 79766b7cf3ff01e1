// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "scenario_request.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "takt_core/executor/processor.hpp"

namespace takt::executor {
namespace {

constexpr model::Time unit = Processor::request_resolution;

TEST(ScenarioRequestTest, TheLastOneIsTakenOnce) {
  ScenarioRequest request;
  EXPECT_FALSE(request.waits());
  EXPECT_TRUE(request.ask(3, model::never, 10 * unit));
  EXPECT_TRUE(request.ask(4, model::never, 20 * unit));
  EXPECT_TRUE(request.waits());
  const ScenarioRequest::Asked asked = request.take();
  EXPECT_EQ(asked.scenario, 4U);
  EXPECT_EQ(asked.when, 20 * unit);
  EXPECT_FALSE(request.waits());
  EXPECT_EQ(request.overwritten(), 1U);
}

TEST(ScenarioRequestTest, OfAnInstantThatHasPassedItDoesNotOverwriteALaterOne) {
  ScenarioRequest request;
  EXPECT_TRUE(request.ask(3, 20 * unit, 30 * unit));
  EXPECT_FALSE(request.ask(4, 10 * unit, 30 * unit));
  EXPECT_FALSE(request.ask(4, 20 * unit, 30 * unit))
      << "of two requests with the same instant the first wins";
  EXPECT_EQ(request.take().scenario, 3U);
  EXPECT_FALSE(request.ask(4, 10 * unit, 30 * unit))
      << "an earlier request does not replace one that was taken already";
  EXPECT_EQ(request.overwritten(), 3U);
}

TEST(ScenarioRequestTest, TwoOfNowWithinTheResolutionAreInOrder) {
  ScenarioRequest request;
  for (const model::ScenarioId scenario : {1U, 2U, 3U}) {
    EXPECT_TRUE(request.ask(scenario, model::never, 10 * unit));
    EXPECT_EQ(request.take().scenario, scenario);
  }
}

TEST(ScenarioRequestTest, OfManyThreadsEachIsTakenOrOverwritten) {
  constexpr int threads = 4;
  constexpr std::uint64_t each = 2000;
  ScenarioRequest request;
  std::atomic<int> left{threads};
  std::vector<std::thread> asking;
  for (int i = 0; i < threads; ++i) {
    asking.emplace_back([&, i] {
      for (std::uint64_t n = 0; n < each; ++n) {
        request.ask(static_cast<model::ScenarioId>(i), model::never, unit);
      }
      --left;
    });
  }
  std::uint64_t taken = 0;
  while (left > 0 || request.waits()) {
    if (!request.waits()) continue;
    request.take();
    ++taken;
  }
  for (std::thread & thread : asking) thread.join();
  EXPECT_EQ(taken + request.overwritten(), threads * each);
}

}  // namespace
}  // namespace takt::executor
