// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "notice_handler.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace takt::executor {
namespace {

template <typename Notice>
Notice notice(std::uint64_t index) {
  Notice result;
  result.job.task = TaskId{7};
  result.job.index = index;
  return result;
}
constexpr auto miss = notice<Miss>;
constexpr auto overrun = notice<Overrun>;
constexpr auto exhaustion = notice<Exhaustion>;

TaskTable::Name name(TaskId task) {
  return std::make_shared<const std::string>("task" + std::to_string(to_number(task)));
}

class NoticeHandlerTest : public ::testing::Test {
 protected:
  /// Runs the handler thread's body until everything is handled.
  void finish() {
    handler.stop();
    handler.run();
  }

  int failures = 0;
  NoticeHandler handler{name, [this] { ++failures; }};
  std::vector<std::string> seen;
};

TEST_F(NoticeHandlerTest, HandlesEveryNoticeInOrder) {
  std::vector<std::uint64_t> misses;
  handler.set({.on_miss = [&](const Miss & what, const std::string &) {
    misses.push_back(what.job.index);
  }});
  std::thread thread([&] { handler.run(); });
  constexpr std::uint64_t count = 10'000;
  std::uint64_t index = 0;
  while (index < count) {
    const std::uint64_t dropped = handler.dropped();
    EXPECT_TRUE(handler.put(miss(index)));
    handler.wake();
    if (handler.dropped() == dropped) {
      ++index;
    } else {
      std::this_thread::yield();
    }
  }
  handler.stop();
  thread.join();
  ASSERT_EQ(misses.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(misses[i], i);
}

TEST_F(NoticeHandlerTest, EachKindGoesToItsFunction) {
  const auto note = [this](const std::string & kind) {
    return [this, kind](const auto & what, const std::string & task) {
      seen.push_back(kind + std::to_string(what.job.index) + " " + task);
    };
  };
  handler.set(
      {.on_miss = note("miss"), .on_overrun = note("overrun"), .on_exhausted = note("budget")});
  EXPECT_TRUE(handler.put(overrun(1)));
  EXPECT_TRUE(handler.put(exhaustion(2)));
  EXPECT_TRUE(handler.put(miss(3)));
  finish();
  EXPECT_EQ(seen, (std::vector<std::string>{"overrun1 task7", "budget2 task7", "miss3 task7"}));
}

TEST_F(NoticeHandlerTest, WhatNobodyWantsIsNotTaken) {
  EXPECT_FALSE(handler.put(miss(1)));
  handler.set(
      {.on_overrun = [this](const Overrun &, const std::string & task) { seen.push_back(task); }});
  EXPECT_FALSE(handler.put(miss(1)));
  EXPECT_FALSE(handler.put(exhaustion(1)));
  EXPECT_TRUE(handler.put(overrun(1)));
  handler.set({});
  EXPECT_FALSE(handler.put(overrun(1)));
  finish();
  EXPECT_TRUE(seen.empty()) << "the handler was removed before it was called";
}

TEST_F(NoticeHandlerTest, WhatDoesNotFitIsCounted) {
  handler.set(
      {.on_miss = [this](const Miss &, const std::string & task) { seen.push_back(task); }});
  for (std::uint64_t index = 0; index < 300; ++index) handler.put(miss(index));
  EXPECT_EQ(handler.dropped(), 300U - 256U);
  finish();
  EXPECT_EQ(seen.size(), 256U);
}

TEST_F(NoticeHandlerTest, WhatAFunctionThrowsIsTold) {
  handler.set({.on_miss = [](const Miss &, const std::string &) {
    throw std::runtime_error("of the handler");
  }});
  handler.put(miss(0));
  handler.put(miss(1));
  finish();
  EXPECT_EQ(failures, 2);
}

}  // namespace
}  // namespace takt::executor
