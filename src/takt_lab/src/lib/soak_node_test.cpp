// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "soak_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <takt/context.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/event.hpp>
#include <thread>
#include <vector>

namespace takt::lab {
namespace {

constexpr model::Duration us = 1'000;
constexpr model::Duration ms = 1'000'000;
constexpr std::uint64_t enough = 5;

std::vector<SoakJobRow> taken(SoakJobs & jobs) {
  std::vector<SoakJobRow> rows;
  SoakJobRow row;
  while (jobs.pop(row)) rows.push_back(row);
  return rows;
}

TEST(SoakNodeTest, ReadsWorksPublishesAndRecordsItsJobs) {
  takt::init(0, nullptr, {.handle_signals = false});
  const Work work(calibrate());
  SoakJobs sent(4096);
  SoakJobs read(4096);
  {
    SoakNode source("source", 3,
                    {.name = "send", .period = 5 * ms, .wcet = 50 * us, .publishes = "data"}, work,
                    sent);
    SoakNode sink(
        "sink", 4,
        {.name = "read", .period = 10 * ms, .phase = 2 * ms, .wcet = 300 * us, .reads = "data"},
        work, read);
    os::Event done;
    std::uint64_t calls = 0;
    sink.then([&](std::uint64_t index) {
      if (++calls >= enough && index >= enough) done.post();
    });
    EXPECT_EQ(source.id(), "source/send");
    takt::SchedulingExecutor executor({.policy = "edf", .lock_memory = false});
    executor.add_node(source.node());
    executor.add_node(sink.node());
    std::thread spin([&] { executor.spin(); });
    done.wait();
    executor.cancel();
    spin.join();
    EXPECT_GT(sink.received(), 0u);
    EXPECT_EQ(source.received(), 0u);
    const auto rows = taken(read);
    EXPECT_GE(rows.size(), enough);
    EXPECT_EQ(rows.size(), calls);
    model::Time before = 0;
    for (const SoakJobRow & row : rows) {
      EXPECT_EQ(row.task, 4u);
      EXPECT_EQ(row.release,
                rows.front().release +
                    static_cast<model::Time>(row.index - rows.front().index) * 10 * ms);
      EXPECT_EQ(row.deadline, row.release + 10 * ms);
      EXPECT_GE(row.start, std::max(row.release, before));
      EXPECT_GE(row.finish, row.start);
      EXPECT_GE(row.cpu, 300 * us);
      before = row.finish;
    }
    for (const SoakJobRow & row : taken(sent)) EXPECT_EQ(row.task, 3u);
    EXPECT_EQ(sent.dropped() + read.dropped(), 0u);
  }
  takt::shutdown();
}

}  // namespace
}  // namespace takt::lab
