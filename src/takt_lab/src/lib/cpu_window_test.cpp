// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "cpu_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>
#include <vector>

#include "program.hpp"

namespace takt::lab {
namespace {

void burn(model::Duration length) {
  const model::Time until = os::thread_cpu() + length;
  while (os::thread_cpu() < until) {
  }
}

void wait_until_gone(int tid) {
  for (std::vector<int> ids = {tid}; std::count(ids.begin(), ids.end(), tid) > 0;)
    ids = thread_ids();
}

const ThreadUse * find(const CpuWindow & window, const std::string & name) {
  for (const ThreadUse & thread : window.threads()) {
    if (thread.name == name) return &thread;
  }
  return nullptr;
}

TEST(CpuWindowTest, CountsWhatIsBurntWithinIt) {
  os::Event begin;
  os::Event done;
  os::Event leave;
  os::Thread before({.name = "lab.before"}, [&] {
    burn(2'000'000);
    begin.wait();
    burn(3'000'000);
    done.post();
    leave.wait();
  });
  while (os::thread_cpu_of(before.tid()) < 2'000'000) {
  }
  CpuWindow window;
  window.prepare();
  window.open();
  begin.post();
  done.wait();
  os::Event late_done;
  os::Thread late({.name = "lab.late"}, [&] {
    burn(1'000'000);
    late_done.post();
    begin.wait();
  });
  late_done.wait();
  window.close();
  leave.post();
  begin.post();

  ASSERT_NE(find(window, "lab.before"), nullptr);
  ASSERT_NE(find(window, "lab.late"), nullptr);
  EXPECT_GE(find(window, "lab.before")->cpu, 3'000'000);
  EXPECT_GE(find(window, "lab.late")->cpu, 1'000'000);
  EXPECT_GE(window.process(), 4'000'000);
  EXPECT_GE(window.closed() - window.opened(), 0);
}

TEST(CpuWindowTest, AThreadThatEndsCountsInTheProcess) {
  os::Event begin;
  os::Thread thread({.name = "lab.ends"}, [&] {
    begin.wait();
    burn(2'000'000);
  });
  CpuWindow window;
  window.prepare();
  window.open();
  const int tid = thread.tid();
  begin.post();
  thread.join();
  wait_until_gone(tid);  // the kernel may need a moment
  window.close();
  EXPECT_EQ(find(window, "lab.ends"), nullptr);
  EXPECT_GE(window.process(), 2'000'000);
}

}  // namespace
}  // namespace takt::lab
