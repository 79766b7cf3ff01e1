// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "barrier.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <takt_core/os/clock.hpp>
#include <vector>

#include "error.hpp"

namespace takt::lab {
namespace {

constexpr model::Duration second = 1'000'000'000;

class BarrierTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "takt_barrier_" + std::to_string(getpid()) + "_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::remove(path_.c_str());
  }
  void TearDown() override { std::remove(path_.c_str()); }

  Barrier::Wait ready() const {
    return {.missing = [] { return std::string(); }, .lead = 10 * second, .timeout = 30 * second};
  }
  std::string error(const std::function<void()> & what) const {
    try {
      what();
    } catch (const Error & caught) {
      return caught.what();
    }
    return "no error";
  }

  std::string path_;
};

TEST_F(BarrierTest, AllProcessesGetOneStart) {
  constexpr std::uint32_t processes = 3;
  int results[2];
  ASSERT_EQ(pipe(results), 0);
  std::vector<pid_t> children;
  for (std::uint32_t i = 0; i < processes; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Interrupt interrupt;
      Barrier barrier(path_, processes, i);
      int looks = 0;
      Barrier::Wait wait = ready();
      wait.missing = [&] { return std::string(++looks < 4 ? "topic" : ""); };
      const model::Time t0 = barrier.wait(wait, interrupt);
      const bool written = write(results[1], &t0, sizeof t0) == sizeof t0;
      _exit(written ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  model::Time first = 0;
  ASSERT_EQ(read(results[0], &first, sizeof first), static_cast<ssize_t>(sizeof first));
  EXPECT_GT(first, 0);
  for (std::uint32_t i = 1; i < processes; ++i) {
    model::Time t0 = 0;
    ASSERT_EQ(read(results[0], &t0, sizeof t0), static_cast<ssize_t>(sizeof t0));
    EXPECT_EQ(t0, first);
  }
  close(results[0]);
  close(results[1]);
}

TEST_F(BarrierTest, ATimeOutNamesWhatIsMissing) {
  Interrupt interrupt;
  Barrier barrier(path_, 3, 1);
  Barrier second_process(path_, 3, 2);
  Barrier::Wait wait = ready();
  wait.timeout = 0;
  EXPECT_EQ(error([&] { barrier.wait(wait, interrupt); }),
            "not ready after 0 s: process 0 has not arrived; process 2 is not matched");
  wait.missing = [] { return "topic 'a': 0 of 1 subscriptions"; };
  EXPECT_EQ(error([&] { second_process.wait(wait, interrupt); }),
            "not ready after 0 s: topic 'a': 0 of 1 subscriptions; process 0 has not arrived");
  EXPECT_EQ(error([&] { wait_alone(wait, interrupt); }),
            "not ready after 0 s: topic 'a': 0 of 1 subscriptions");
}

TEST_F(BarrierTest, WhoLeavesFailsTheOthers) {
  Interrupt interrupt;
  Barrier barrier(path_, 2, 0);
  { Barrier other(path_, 2, 1); }
  EXPECT_EQ(error([&] { barrier.wait(ready(), interrupt); }), "process 1 has left the barrier");
}

TEST_F(BarrierTest, AnOldFileIsRefused) {
  { Barrier barrier(path_, 2, 0); }
  EXPECT_EQ(error([&] { Barrier(path_, 2, 0); }),
            path_ + ": process 0 has used this barrier already; use a new file for each run");
}

TEST_F(BarrierTest, WrongNumbersAndPathsAreNamed) {
  EXPECT_EQ(error([&] { Barrier(path_, 2, 2); }),
            "process 2 is not one of the 2 processes of the barrier");
  EXPECT_EQ(error([&] { Barrier(path_, 1001, 2); }),
            "the barrier has room for 1000 processes, not 1001");
  EXPECT_EQ(error([] { Barrier("/no/such/file", 1, 0); }),
            "/no/such/file: cannot be mapped as the barrier: No such file or directory");
}

TEST_F(BarrierTest, ASignalEndsTheWait) {
  Interrupt interrupt;
  interrupt.raise();
  Barrier barrier(path_, 2, 0);
  EXPECT_EQ(error([&] { barrier.wait(ready(), interrupt); }),
            "interrupted while waiting for the other processes");
  Barrier::Wait wait = ready();
  wait.missing = [] { return std::string("x"); };
  EXPECT_THROW(wait_alone(wait, interrupt), Error);
}

TEST_F(BarrierTest, AloneStartsAfterTheLead) {
  Interrupt interrupt;
  const model::Time before = os::now();
  EXPECT_GE(wait_alone(ready(), interrupt), before + 10 * second);
}

}  // namespace
}  // namespace takt::lab
