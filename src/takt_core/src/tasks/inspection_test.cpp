// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/inspection.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::tasks {
namespace {

TEST(InspectionTest, AThreadThatAWorkerHasStartedIsNone) {
  os::Event begun;
  os::Event end;
  int started = 0;
  const os::Thread worker({.name = "takt.w9"}, [&] {
    std::thread([&] {
      started = os::thread_id();
      begun.post();
      end.wait();
    }).join();
  });
  begun.wait();
  const std::vector<InspectedThread> threads = inspect_threads({});
  end.post();
  std::string role_of_worker;
  std::string role_of_started;
  for (const InspectedThread & thread : threads) {
    if (thread.info.name != "takt.w9") continue;
    (thread.info.tid == worker.tid() ? role_of_worker : role_of_started) = thread.role;
  }
  EXPECT_NE(started, worker.tid());
  EXPECT_EQ(role_of_worker, "worker");
  EXPECT_EQ(role_of_started, "unknown");
}

}  // namespace
}  // namespace takt::tasks
