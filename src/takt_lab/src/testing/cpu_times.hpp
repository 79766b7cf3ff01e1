// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace takt::lab::testing {

/// Returns whether the CPU times in a program's TAG.json are consistent. All threads share one CPU, so the
/// CPU time of the process and the sum over its threads differ at most by the time that reading their clocks
/// took. Twice that time is allowed, because the monotonic clock and the CPU clocks differ slightly.
inline ::testing::AssertionResult cpu_times_agree(const nlohmann::json & facts) {
  const std::int64_t apart = 2 * facts["cpu_window"]["reading_ns"].get<std::int64_t>();
  const std::int64_t process = facts["process_cpu_ns"];
  const std::int64_t callbacks = facts["callback_cpu_ns"];
  std::int64_t sum = 0;
  std::int64_t executor = 0;
  for (const auto & thread : facts["threads"]) {
    const std::int64_t cpu = thread["cpu_ns"];
    if (cpu < 0) return ::testing::AssertionFailure() << "negative: " << thread;
    sum += cpu;
    if (thread["class"] == "executor") executor += cpu;
  }
  if (executor != facts["cpu_ns"]["executor"]) {
    return ::testing::AssertionFailure() << "classes and threads differ: " << facts["cpu_ns"];
  }
  if (std::max(sum - process, process - sum) > apart) {
    return ::testing::AssertionFailure()
           << "threads " << sum << ", process " << process << ", reading " << apart / 2;
  }
  if (callbacks > executor + apart) {
    return ::testing::AssertionFailure()
           << "callbacks " << callbacks << ", executor's threads " << executor;
  }
  return ::testing::AssertionSuccess();
}

/// Checks that these facts are consistent and, as a control, that three slightly changed copies are not.
inline void check_cpu_times(const nlohmann::json & facts) {
  EXPECT_TRUE(cpu_times_agree(facts));
  const std::int64_t much = 4 * facts["cpu_window"]["reading_ns"].get<std::int64_t>() + 1;
  auto wrong = facts;
  wrong["process_cpu_ns"] = facts["process_cpu_ns"].get<std::int64_t>() + much;
  EXPECT_FALSE(cpu_times_agree(wrong));
  wrong = facts;
  wrong["threads"][0]["cpu_ns"] = facts["threads"][0]["cpu_ns"].get<std::int64_t>() + much;
  EXPECT_FALSE(cpu_times_agree(wrong));
  wrong = facts;
  wrong["callback_cpu_ns"] = facts["cpu_ns"]["executor"].get<std::int64_t>() + much;
  EXPECT_FALSE(cpu_times_agree(wrong));
}

}  // namespace takt::lab::testing
