// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/stack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/locked_memory.hpp"
#include "takt_core/os/testing/deep_stack.hpp"
#include "takt_core/os/testing/sanitized.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::os {
namespace {

constexpr std::size_t kib = 1024;

/// How many bytes of it are in memory.
std::size_t present(const void * from, std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((size + page - 1) / page);
  if (mincore(const_cast<void *>(from), size, pages.data()) != 0) return 0;
  std::size_t sum = 0;
  for (const unsigned char each : pages) sum += (each & 1U) != 0 ? page : 0;
  return sum;
}

TEST(StackTest, HasWhatWasAskedForAndAGuardBelow) {
  const Stack stack(200 * kib + 1);
  EXPECT_GE(stack.size(), 200 * kib + 1);
  std::memset(stack.lowest(), 1, stack.size());
  const char * const lowest = static_cast<const char *>(stack.lowest());
  EXPECT_TRUE(stack.guards(lowest - 1));
  EXPECT_TRUE(stack.guards(lowest - Stack::guard));
  EXPECT_FALSE(stack.guards(lowest - Stack::guard - 1));
  EXPECT_FALSE(stack.guards(lowest));
  EXPECT_THROW(Stack(std::size_t{1} << 62), std::system_error);
}

// In a child, which has a limit of its own.
TEST(StackTest, AnOrdinaryOneIsAsLargeAsTheLimitSays) {
  const auto under = [](rlim_t soft) -> std::size_t {
    int ends[2];
    if (pipe(ends) != 0) return 0;
    const pid_t child = fork();
    if (child == 0) {
      rlimit limit{};
      std::size_t size = 0;  // stays 0 if the process may not set that limit
      if (getrlimit(RLIMIT_STACK, &limit) != 0) _exit(1);
      limit.rlim_cur = soft;
      if (setrlimit(RLIMIT_STACK, &limit) == 0) size = ordinary_stack_size();
      _exit(write(ends[1], &size, sizeof size) == sizeof size ? 0 : 1);
    }
    close(ends[1]);
    std::size_t size = 0;
    EXPECT_EQ(read(ends[0], &size, sizeof size), static_cast<ssize_t>(sizeof size));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return size;
  };
  EXPECT_EQ(under(rlim_t{4} << 20), std::size_t{4} << 20);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  if (limit.rlim_max != RLIM_INFINITY)
    GTEST_SKIP() << "a hard limit keeps the stack size from being raised";
  EXPECT_EQ(under(rlim_t{256} << 20), std::size_t{256} << 20);
  EXPECT_EQ(under(rlim_t{1} << 40), Stack::most);
  EXPECT_EQ(under(RLIM_INFINITY), std::size_t{64} << 20);
}

TEST(ThreadTest, HasTheStackOfAnOrdinaryOneUnlessItIsTold) {
  const std::size_t deep = ordinary_stack_size() * 3 / 4;
  std::size_t missing = 1;
  Thread({.name = "test.deep"}, [&missing] {
    pthread_attr_t attributes;
    void * lowest = nullptr;
    std::size_t size = 0;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    // Pages that it does not use are not in memory.
    missing = size - present(lowest, size);
    EXPECT_GE(size, ordinary_stack_size());
  }).join();
  EXPECT_GE(missing, deep);
}

// In a child: what it locks is its own.
TEST(StackTest, WhereMemoryIsLockedOnlyWhatIsReadyIsBroughtIn) {
  constexpr std::size_t size = 8192 * kib;
  constexpr std::size_t ready = 256 * kib;
  const pid_t child = fork();
  if (child == 0) {
    if (!lock_memory().ok() || testing::sanitized) _exit(0);
    if (!memory_locked() || !lock_memory().ok()) _exit(1);
    const Stack stack(size, ready);
    const char * const lowest = static_cast<const char *>(stack.lowest());
    if (present(lowest, size - ready) != 0) _exit(2);
    if (present(lowest + size - ready, ready) != ready) _exit(3);
    const pid_t its_own = fork();
    if (its_own == 0) _exit(memory_locked() ? 1 : 0);
    int status = -1;
    waitpid(its_own, &status, 0);
    _exit(status == 0 ? 0 : 4);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StackOverflowTest, IsSaidWithWhatRanBeforeItEndsTheProcess) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers report such faults themselves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto tell = [](char * text, std::size_t size) noexcept {
    static_cast<void>(size);
    std::strcpy(text, "callback 'n/deep'");
  };
  EXPECT_DEATH(Thread({.name = "test.deep", .stack = 256 * kib, .running = tell},
                      [] { testing::go_deep(std::size_t{1} << 32); })
                   .join(),
               "takt: callback 'n/deep': thread test.deep has used up its stack of 262144 bytes.*"
               "stack_size");
}

TEST(StackOverflowTest, OfAThreadThatRunsNoCallbacksIsSaidWithWhatItGoesBy) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers report such faults themselves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Thread({.name = "test.deep", .stack = 256 * kib},
                      [] { testing::go_deep(std::size_t{1} << 32); })
                   .join(),
               "takt: thread test.deep has used up its stack of 262144 bytes.*, or raise the limit "
               "\\(ulimit -s\\)");
}

TEST(StackOverflowTest, AnotherFaultIsNotCalledOne) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers report such faults themselves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Thread({.name = "test.wild"}, [] {
          volatile char * const nowhere = reinterpret_cast<volatile char *>(0x10);
          *nowhere = 1;
        }).join();
        exit(0);
      },
      [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; },
      ::testing::Not(::testing::HasSubstr("used up its stack")));
}

TEST(ThreadTest, AChildOfForkWaitsForNoneOfItsParents) {
  Event end;
  auto * thread = new Thread({.name = "test.thread"}, [&end] { end.wait(); });
  const pid_t child = fork();
  if (child == 0) {
    const bool has = thread->has_what_was_asked();
    thread->join();
    _exit(has ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(thread->has_what_was_asked());
  end.post();
  delete thread;
}

}  // namespace
}  // namespace takt::os
