// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "cpu_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"
#include "transports/allocator.hpp"

namespace takt::lab {
namespace {

TEST(CpuTurnsTest, AreThoseOfWhoeverGetsTheCpu) {
  const int cpu = os::allowed_cpus().front();
  CpuTurns turns(cpu);
  const std::string refused = turns.facts()["refused"];
  const os::Time before = os::now();
  int tid = 0;
  std::thread([&] {
    os::name_thread("has.a.turn");
    os::pin(0, cpu);
    tid = os::thread_id();
    turns.look();  // while the thread exists, so that its name can be read from /proc
    os::sleep_until(os::now() + 1'000'000);
    turns.look();
  }).join();
  if (!refused.empty()) {
    EXPECT_TRUE(turns.rows().empty());
    GTEST_SKIP() << refused;
  }
  const auto & rows = turns.rows();
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const auto & a, const auto & b) { return a.at < b.at; }));
  const auto mine =
      std::find_if(rows.begin(), rows.end(), [tid](const auto & row) { return row.tid == tid; });
  ASSERT_NE(mine, rows.end());
  EXPECT_GE(mine->at, before);
  EXPECT_LE(mine->at, os::now());
  const auto facts = turns.facts();
  EXPECT_EQ(facts["lost"], 0);
  const auto & threads = facts["threads"];
  const auto met = std::find_if(threads.begin(), threads.end(),
                                [tid](const auto & thread) { return thread["tid"] == tid; });
  ASSERT_NE(met, threads.end());
  EXPECT_EQ((*met)["name"], "has.a.turn");
  EXPECT_EQ((*met)["own"], true);
}

/// A soak judges the memory of the process that records the turns.
TEST(CpuTurnsTest, NeedNoMoreMemoryForThreadsThatBeginLater) {
  const int cpu = os::allowed_cpus().front();
  CpuTurns turns(cpu);
  const std::string refused = turns.facts()["refused"];
  if (!refused.empty()) GTEST_SKIP() << refused;
  // It knows the bytes in use exactly. malloc's own figure includes those that it keeps for threads.
  use_tlsf(16 << 20);
  const auto meet_threads = [&](int count) -> nlohmann::json {
    for (int i = 0; i < count; ++i) {
      std::thread([&] {
        os::pin(0, cpu);
        turns.look();
      }).join();
      turns.take();
    }
    return allocator_json()["bytes"];
  };
  const auto before = meet_threads(50);
  const std::size_t known = turns.facts()["threads"].size();
  EXPECT_EQ(meet_threads(500), before);
  EXPECT_GE(turns.facts()["threads"].size(), known + 500);
  EXPECT_EQ(allocator_json()["no_room"], 0);
}

}  // namespace
}  // namespace takt::lab
