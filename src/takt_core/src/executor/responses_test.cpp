// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/responses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "testing/harness.hpp"

namespace takt::executor {
namespace {

using testing::ms;

TEST(ResponseBucketsTest, EachFollowsTheOneBeforeAndIsNarrow) {
  model::Duration below = -1;
  for (std::size_t i = 0; i + 1 < ResponseBuckets::count; ++i) {
    const model::Duration longest = ResponseBuckets::longest(i);
    ASSERT_GT(longest, below) << i;
    EXPECT_EQ(ResponseBuckets::of(below + 1), i);
    EXPECT_EQ(ResponseBuckets::of(longest), i);
    const model::Duration width = longest - below;
    EXPECT_LE(width, std::max<model::Duration>(128, (below + 1) / 32)) << i;
    below = longest;
  }
  EXPECT_EQ(ResponseBuckets::of(below + 1), ResponseBuckets::count - 1);
  EXPECT_EQ(ResponseBuckets::of(model::never), ResponseBuckets::count - 1);
  EXPECT_EQ(ResponseBuckets::of(-5), 0U);
  EXPECT_GT(below, 130'000 * ms);
}

TEST(ResponsesTest, PercentilesAreThoseOfAllSamplesButForABucket) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> lengths(std::log(2e5), 2);
  Responses responses;
  std::vector<model::Duration> all;
  for (int i = 0; i < 20'000; ++i) {
    const auto length = static_cast<model::Duration>(lengths(random));
    all.push_back(length);
    responses.record(length, 10 * ms - length, -1);
  }
  std::sort(all.begin(), all.end());
  const ResponseCounts counts = responses.read();
  EXPECT_EQ(counts.jobs, all.size());
  EXPECT_EQ(counts.worst, all.back());
  EXPECT_EQ(counts.least_margin, 10 * ms - all.back());
  EXPECT_EQ(counts.greatest_age, -1);
  for (const double share : {0.001, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size())));
    const model::Duration exact = all[rank - 1];
    EXPECT_GE(counts.percentile(share), exact) << share;
    EXPECT_LE(counts.percentile(share), exact + std::max<model::Duration>(128, exact / 32))
        << share;
  }
}

TEST(ResponsesTest, WhatLiesBetweenTwoInstantsIsCountedAlone) {
  Responses responses;
  for (int i = 0; i < 100; ++i) responses.record(50 * ms, -ms, 3 * ms);
  const ResponseCounts before = responses.read();
  EXPECT_EQ(before.since(before).jobs, 0U);
  EXPECT_EQ(before.since(before).worst, 0);
  for (int i = 0; i < 10; ++i) responses.record(2 * ms, model::never, model::never);
  const ResponseCounts between = responses.read().since(before);
  EXPECT_EQ(between.jobs, 10U);
  EXPECT_GE(between.worst, 2 * ms);
  EXPECT_LT(between.worst, 2.1 * ms);
  EXPECT_EQ(between.percentile(0.5), between.worst);
  EXPECT_EQ(between.least_margin, -ms);
  EXPECT_EQ(between.greatest_age, model::never);
}

TEST(ResponsesTest, NothingIsLostToWhoReadsMeanwhile) {
  Responses responses;
  std::atomic<bool> done = false;
  constexpr std::uint64_t jobs = 200'000;
  std::thread reader([&] {
    std::uint64_t before = 0;
    while (!done) {
      const std::uint64_t now = responses.read().jobs;
      EXPECT_GE(now, before);
      before = now;
    }
  });
  for (std::uint64_t i = 0; i < jobs; ++i) {
    responses.record(static_cast<model::Duration>(i) * 100, model::never, -1);
  }
  done = true;
  reader.join();
  EXPECT_EQ(responses.read().jobs, jobs);
}

}  // namespace
}  // namespace takt::executor
