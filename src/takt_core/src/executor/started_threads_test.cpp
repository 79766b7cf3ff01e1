// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "started_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {
namespace {

TEST(StartedThreads, are_told_of_however_late_they_name_themselves) {
  if (os::allowed_cpus().size() < 2) GTEST_SKIP() << "all threads have the same CPU";
  const int cpu = os::allowed_cpus().back();
  std::vector<std::string> lines;
  Log log([&lines](const std::string & line) { lines.push_back(line); });
  StartedThreads started(cpu, false, log);
  os::Event name;
  os::Event named;
  os::Event end;
  // As if a worker had started it.
  const os::Thread thread({.name = "takt.w1", .cpu = cpu}, [&] {
    name.wait();
    os::name_thread("test.late");
    named.post();
    end.wait();
  });
  started.look();
  started.look();
  EXPECT_TRUE(lines.empty());
  name.post();
  named.wait();
  started.look();
  EXPECT_THAT(lines, ::testing::ElementsAre(::testing::HasSubstr("thread 'test.late' may run on")));
  started.look();
  EXPECT_EQ(lines.size(), 1U);
  end.post();
}

}  // namespace
}  // namespace takt::executor
