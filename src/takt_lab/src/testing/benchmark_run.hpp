// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <takt_core/executor/priority_plan.hpp>
#include <takt_core/os/thread.hpp>
#include <vector>

#include "npy.hpp"
#include "testing/program_run.hpp"

namespace takt::lab::testing {

/// Returns whether threads of this process, and of programs that it starts, may have the plan's priorities.
inline bool realtime_available() {
  const os::Thread probe({.name = "test.rights", .priority = executor::PriorityPlan{}.timer},
                         [] {});
  return probe.priority().ok();
}

/// A run of a benchmark with two rounds of very short turns, to check the form of its files, not the values.
struct BenchmarkRun {
  int status = 0;
  std::string err;
  nlohmann::json facts;
  std::vector<SampleRow> rows;

  BenchmarkRun(const std::string & name, const std::string & turn_ns,
               const std::vector<std::string> & more = {}) {
    const Folder folder;
    std::vector<std::string> arguments = {"--cpu",     a_cpu(), "--rounds", "2",
                                          "--turn-ns", turn_ns, "--out",    folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Program program(name, arguments);
    status = program.wait();
    err = program.err();
    if (status != 0) return;
    facts = nlohmann::json::parse(text_of(folder / ("out/" + name + ".json")));
    rows = read_npy<SampleRow>(folder / ("out/" + name + ".samples.npy"));
  }

  /// Returns the values of the varied parameter x at which a variant has samples in both rounds.
  std::set<std::int64_t> xs(const std::string & variant) const {
    std::map<std::int64_t, std::set<std::uint32_t>> rounds;
    for (const SampleRow & row : rows) {
      if (facts["variants"][row.variant] == variant) rounds[row.x].insert(row.round);
    }
    std::set<std::int64_t> whole;
    for (const auto & [x, seen] : rounds) {
      if (seen == std::set<std::uint32_t>{0, 1}) whole.insert(x);
    }
    return whole;
  }
};

/// Checks what must be true of the results of every benchmark.
inline void check(const BenchmarkRun & run) {
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.facts["rounds"], 2);
  EXPECT_EQ(run.facts["dropped"], 0);
  EXPECT_EQ(run.facts["samples"], run.rows.size());
  for (const SampleRow & row : run.rows) {
    EXPECT_LT(row.round, 2u);
    EXPECT_LT(row.variant, run.facts["variants"].size());
    EXPECT_GT(row.value, 0);
    EXPECT_GT(row.at, 0);
  }
}

/// Checks that a benchmark which needs real-time priorities has failed with one line that says so.
inline void check_refusal(const BenchmarkRun & run) {
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("SCHED_FIFO refused"), std::string::npos) << run.err;
  EXPECT_EQ(lines(run.err), 1) << run.err;
}

}  // namespace takt::lab::testing
