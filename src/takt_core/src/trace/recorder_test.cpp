// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/trace/recorder.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/trace_file.hpp"

namespace takt::trace {
namespace {

using testing::TraceFile;

TEST(RecorderTest, WhatWasPushedIsInTheFileAndTheLastLineSaysWhatWasDropped) {
  const TraceFile file;
  Recorder recorder({.file = file.path(), .capacity = 16});
  Ring * ring = recorder.add_ring(Definition("ring").add("thread", "t\"1\n"));
  ASSERT_NE(ring, nullptr);
  for (int i = 0; i < 10; ++i) ring->push({.at = i, .kind = Kind::start});
  recorder.define(Definition("task").add("task", std::int64_t{3}).add("name", "a/b"));
  recorder.close();
  EXPECT_EQ(recorder.written(), 10U);
  EXPECT_EQ(recorder.dropped(), 0U);
  EXPECT_EQ(recorder.error(), "");
  const auto events = file.events();
  ASSERT_EQ(events.size(), 10U);
  EXPECT_EQ(events.back().at, 9);
  EXPECT_EQ(events.back().ring, 1);
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].find(R"({"define": "clock", "monotonic": )"), 0U);
  EXPECT_EQ(lines[1], R"({"define": "ring", "thread": "t\"1\u000a", "ring": 1})");
  EXPECT_EQ(lines[2], R"({"define": "task", "task": 3, "name": "a/b"})");
  EXPECT_EQ(lines[3], R"({"define": "end", "written": 10, "dropped": 0, "rings_refused": 0})");
}

TEST(RecorderTest, TheThreadThatDrainsKeepsToTheCpusItIsGiven) {
  const TraceFile file;
  const std::vector<int> given = {os::allowed_cpus().back()};
  const Recorder recorder({.file = file.path(), .cpus = given});
  const auto threads = os::threads_of_process();
  const auto drains = std::find_if(threads.begin(), threads.end(), [](const os::ThreadInfo & each) {
    return each.name == "takt.trace";
  });
  ASSERT_NE(drains, threads.end());
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(drains->tid, sizeof(allowed), &allowed), 0);
  EXPECT_EQ(CPU_COUNT(&allowed), 1);
  EXPECT_TRUE(CPU_ISSET(given.front(), &allowed));
}

TEST(RecorderTest, WhatFindsNoRoomIsToldWithItsRing) {
  const TraceFile file;
  Recorder recorder({.file = file.path(), .capacity = 2});
  recorder.add_ring(Definition("ring"));
  Ring * full = recorder.add_ring(Definition("ring"));
  constexpr std::uint64_t pushed = 100'000;
  // The ring is drained meanwhile, but so many events do not pass through a ring for two without a
  // loss.
  while (full->dropped() == 0) {
    for (std::uint64_t i = 0; i < pushed; ++i) full->push({.kind = Kind::start});
  }
  recorder.close();
  EXPECT_EQ(recorder.dropped(), full->dropped());
  EXPECT_EQ((recorder.written() + recorder.dropped()) % pushed, 0U);
  EXPECT_NE(file.lines().back().find("\"dropped_2\": " + std::to_string(full->dropped())),
            std::string::npos);
}

TEST(RecorderTest, ThereAreAtMostSoManyRingsAndTheFileTellsOfTheOthers) {
  const TraceFile file;
  Recorder recorder({.file = file.path(), .capacity = 1});
  for (std::size_t i = 0; i < Recorder::most_rings; ++i) {
    ASSERT_NE(recorder.add_ring(Definition("ring")), nullptr);
  }
  EXPECT_EQ(recorder.add_ring(Definition("ring")), nullptr);
  recorder.close();
  EXPECT_NE(file.lines().back().find("\"rings_refused\": 1"), std::string::npos);
}

TEST(RecorderTest, AFileThatCannotBeOpenedIsAnErrorOfOneLine) {
  try {
    const Recorder recorder({.file = "/nonexistent/a.trace"});
    FAIL() << "a file was created in a folder that does not exist";
  } catch (const std::system_error & error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/a.trace"), std::string::npos);
  }
  EXPECT_THROW(Recorder({.file = "x", .capacity = 0}), std::invalid_argument);
}

TEST(RecorderTest, AFileThatCannotBeWrittenIsToldAndAllEventsCountAsDropped) {
  std::vector<std::string> lines;
  Recorder recorder({.file = "/dev/full", .capacity = 16, .log = [&](const std::string & line) {
                       lines.push_back(line);
                     }});
  Ring * ring = recorder.add_ring(Definition("ring"));
  for (int i = 0; i < 10; ++i) ring->push({.at = i});
  recorder.close();
  EXPECT_NE(recorder.error(), "");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], "the trace '/dev/full' ends here, as it cannot be written: " +
                          recorder.error() + "; make room in '/dev', or have it elsewhere");
  EXPECT_EQ(recorder.written(), 0U);
  EXPECT_EQ(recorder.dropped(), 10U);
}

}  // namespace
}  // namespace takt::trace
