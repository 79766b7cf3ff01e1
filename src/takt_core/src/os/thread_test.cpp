// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "takt_core/os/event.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

ThreadInfo info_of(int tid) {
  for (ThreadInfo & info : threads_of_process()) {
    if (info.tid == tid) {
      return info;
    }
  }
  return {};
}

bool any_of_a_test() {
  const auto threads = threads_of_process();
  return std::any_of(threads.begin(), threads.end(),
                     [](const ThreadInfo & info) { return info.name.starts_with("test."); });
}

class ThreadsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // The kernel may need a moment to remove joined threads.
    while (any_of_a_test()) std::this_thread::yield();
  }
};

TEST(ThreadTest, RunsItsBodyAndJoins) {
  int number = 0;
  Thread thread({.name = "test.thread"}, [&] { number = 42; });
  EXPECT_GT(thread.tid(), 0);
  thread.join();
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(number, 42);
}

TEST(ThreadTest, MayDestroyWhatOwnsIt) {
  Event owned;
  Event ended;
  bool joinable = true;
  auto owner = std::make_unique<Thread>();
  *owner = Thread({.name = "test.thread"}, [&] {
    owned.wait();
    owner.reset();
    joinable = owner != nullptr;
    ended.post();
  });
  owned.post();
  ended.wait();
  EXPECT_FALSE(joinable);
}

TEST(ThreadTest, EndsAtOrdinaryPriority) {
  struct AtEnd {
    ~AtEnd() { *policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; }
    int * policy = nullptr;
  };
  int at_end = -1;
  Thread thread({.name = "test.thread", .priority = 3}, [&] {
    thread_local AtEnd last;
    last.policy = &at_end;
  });
  thread.join();
  EXPECT_EQ(at_end, SCHED_OTHER);
}

TEST(ThreadTest, HasNameCpuAndThePriorityThatIsGranted) {
  const int cpu = allowed_cpus().front();
  Event end;
  Thread thread({.name = "test.thread", .priority = 3, .cpu = cpu}, [&] { end.wait(); });
  const ThreadInfo info = info_of(thread.tid());
  EXPECT_EQ(info.name, "test.thread");
  EXPECT_EQ(info.cpu, cpu);
  EXPECT_EQ(info.priority, thread.priority().granted);
  EXPECT_EQ(thread.priority().asked, 3);
  EXPECT_EQ(thread.priority().ok(), info.priority == 3) << thread.priority().error;
  EXPECT_EQ(info.policy, info.priority == 3 ? SCHED_FIFO : SCHED_OTHER);
  end.post();
}

TEST(ThreadTest, CanBeGivenAnotherPriority) {
  Event end;
  Thread thread({.name = "test.thread", .priority = 3}, [&] { end.wait(); });
  thread.set_priority(5);
  EXPECT_EQ(thread.priority().asked, 5);
  EXPECT_EQ(thread.priority().granted, realtime_priority(thread.tid()));
  end.post();
}

TEST(ThreadTest, WhatItStartsDoesNotInheritItsPriority) {
  int inherited = -1;
  Thread({.name = "test.parent", .priority = 3}, [&] {
    std::thread([&] { inherited = realtime_priority(0); }).join();
  }).join();
  EXPECT_EQ(inherited, 0);
}

TEST(ThreadTest, ReceivesNoAsynchronousSignal) {
  Thread({.name = "test.thread"}, [] {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
    EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
    EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
  }).join();
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0);
}

TEST(ThreadTest, AMoveLeavesNothingBehind) {
  Event end;
  Thread first({.name = "test.thread"}, [&] { end.wait(); });
  const int tid = first.tid();
  Thread second = std::move(first);
  EXPECT_EQ(first.tid(), 0);
  EXPECT_EQ(second.tid(), tid);
  end.post();
  second = Thread{};
  EXPECT_FALSE(second.joinable());
}

TEST_F(ThreadsTest, AreCountedAndListedWithTheirCpuTime) {
  const std::size_t before = thread_count();
  EXPECT_EQ(threads_of_process().size(), before);
  Event worked;
  Event end;
  Thread thread({.name = "test.long.name.of.thread"}, [&] {
    const Time start = thread_cpu();
    while (thread_cpu() < start + 1'000'000) {
    }
    worked.post();
    end.wait();
  });
  worked.wait();
  while (!sleeping(thread.tid())) {
    std::this_thread::yield();
  }
  EXPECT_EQ(thread_count(), before + 1);
  const ThreadInfo info = info_of(thread.tid());
  EXPECT_EQ(info.name, "test.long.name.");
  EXPECT_GE(info.cpu_ns, 1'000'000);
  EXPECT_GE(runnable_time(thread.tid()), info.cpu_ns);
  EXPECT_EQ(runnable_time(thread.tid()), runnable_time(thread.tid()))
      << "the runnable time of a sleeping thread does not grow";
  EXPECT_FALSE(sleeping(thread_id()));
  end.post();
}

TEST_F(ThreadsTest, TheLastCpuOfEachIsKnown) {
  const int cpu = allowed_cpus().back();
  Event end;
  // The line in /proc that contains the CPU also contains the name, which may hold any character.
  Thread thread({.name = "test.) b (c 7 8", .cpu = cpu}, [&] { end.wait(); });
  EXPECT_EQ(info_of(thread.tid()).cpu, cpu);
  EXPECT_EQ(last_cpu(thread.tid()), cpu);
  end.post();
  EXPECT_EQ(last_cpu(1 << 30), -1);
}

TEST_F(ThreadsTest, AnotherSetIsKnownAlsoWhereThereAreAsMany) {
  Event end;
  const std::uint64_t none = thread_set();
  const auto start = [&end] { return Thread({.name = "test.thread"}, [&end] { end.wait(); }); };
  Thread thread = start();
  const std::uint64_t first = thread_set();
  EXPECT_NE(first, none);
  EXPECT_EQ(first, thread_set());
  end.post();
  thread.join();
  thread = start();
  EXPECT_NE(thread_set(), first);
  EXPECT_NE(thread_set(), none);
  end.post();
}

TEST_F(ThreadsTest, VoluntarySwitchesCountWhatBlocks) {
  Event never_posted;
  const std::uint64_t before = voluntary_switches();
  never_posted.wait_until(now() + 1'000'000);
  EXPECT_GT(voluntary_switches(), before);
}

}  // namespace
}  // namespace takt::os
