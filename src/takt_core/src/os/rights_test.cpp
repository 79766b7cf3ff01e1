// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/rights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

// Runs `body` in a child without rights to real-time priorities or locked memory; 0 is success.
int without_rights(const std::function<bool()> & body) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit nothing{0, 0};
    const rlimit little{65536, 65536};
    const bool dropped = setrlimit(RLIMIT_RTPRIO, &nothing) == 0 &&
                         setrlimit(RLIMIT_MEMLOCK, &little) == 0 &&
                         (geteuid() != 0 || setresuid(65534, 65534, 65534) == 0);
    _exit(dropped ? (body() ? 0 : 1) : 2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool contains(const std::string & text, const char * part) {
  return text.find(part) != std::string::npos;
}

TEST(RightsTest, WhatIsGrantedIsReadBack) {
  std::thread([] {
    const Granted granted = set_fifo(0, 7);
    EXPECT_EQ(granted.asked, 7);
    EXPECT_EQ(granted.granted, realtime_priority(0));
    EXPECT_EQ(granted.ok(), granted.granted == 7) << granted.error;
    const Granted back = set_fifo(thread_id(), 0);
    EXPECT_TRUE(back.ok()) << back.error;
    EXPECT_EQ(realtime_priority(0), 0);
  }).join();
}

TEST(RightsTest, ARefusedPrioritySaysWhatToDo) {
  EXPECT_EQ(without_rights([] {
              const Granted granted = set_fifo(0, 7);
              return granted.granted == 0 && contains(granted.error, "SCHED_FIFO") &&
                     contains(granted.error, "prlimit --rtprio=99");
            }),
            0);
}

TEST(RightsTest, WhoGivesUpTheRightToBeRealTimeDoesNotGetItBack) {
  std::thread([] {
    const pid_t child = fork();
    if (child == 0) {
      const Granted given_up = give_up_realtime();
      _exit(given_up.ok() && given_up.granted == 1 && set_fifo(0, 7).granted == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }).join();
}

TEST(RightsTest, AnybodyMayBeIdle) {
  EXPECT_EQ(without_rights([] {
              const Granted idle = set_idle(0);
              return idle.ok() &&
                     std::string(policy_name(threads_of_process()[0].policy)) == "IDLE";
            }),
            0);
}

TEST(RightsTest, PinsToAnAllowedCpu) {
  std::thread([] {
    const std::vector<int> cpus = allowed_cpus();
    ASSERT_FALSE(cpus.empty());
    const Granted granted = pin(0, cpus.back());
    EXPECT_TRUE(granted.ok()) << granted.error;
    EXPECT_EQ(granted.granted, cpus.back());
    EXPECT_THAT(allowed_cpus(), ::testing::ElementsAre(cpus.back()));
  }).join();
}

TEST(RightsTest, ACpuThatIsNotThereIsAnErrorWithTheChoice) {
  for (const int cpu : {1023, 100'000, -5}) {
    const Granted granted = pin(0, cpu);
    EXPECT_FALSE(granted.ok());
    EXPECT_THAT(granted.error, ::testing::HasSubstr("may use CPUs "));
  }
}

TEST(RightsTest, AThreadMayBeConfinedToSeveralCpus) {
  std::thread([] {
    const std::vector<int> cpus = allowed_cpus();
    const Granted granted = confine(0, cpus);
    EXPECT_TRUE(granted.ok()) << granted.error;
    EXPECT_EQ(granted.granted, static_cast<int>(cpus.size()));
    EXPECT_THAT(cpus, ::testing::Contains(current_cpu()));
    EXPECT_TRUE(confine(0, {cpus.front()}).ok());
    EXPECT_EQ(current_cpu(), cpus.front());
    EXPECT_EQ(pinned_cpu(0), cpus.front());
    // Either all are granted or none.
    for (const std::vector<int> & wrong : {std::vector<int>{cpus.front(), 1023}, {}, {-1}}) {
      const Granted refused = confine(0, wrong);
      EXPECT_FALSE(refused.ok());
      EXPECT_EQ(refused.granted, 0);
      EXPECT_EQ(pinned_cpu(0), cpus.front());
    }
  }).join();
}

TEST(RightsTest, AnInvalidPriorityIsRefused) {
  const Granted granted = set_fifo(0, 100);
  EXPECT_FALSE(granted.ok());
  EXPECT_EQ(granted.granted, realtime_priority(0));
}

}  // namespace
}  // namespace takt::os
