// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "arrivals.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace takt::rclcpp {
namespace {

/// A queue that keeps the newest `depth`.
struct Queue {
  std::size_t depth = 100;
  std::size_t there = 0;
  std::size_t taken = 0;

  void put(std::size_t count) { there = std::min(there + count, depth); }
  Taken take() {
    if (there == 0) return Taken::none;
    --there;
    ++taken;
    return Taken::one;
  }
};

TEST(Arrivals, EachThatWasToldOfIsTakenOnce) {
  Arrivals arrivals;
  Queue queue;
  const auto take = [&] { return queue.take(); };
  EXPECT_FALSE(arrivals.take_one(take));
  queue.put(3);
  arrivals.came(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(arrivals.take_one(take));
  EXPECT_FALSE(arrivals.take_one(take));
  EXPECT_EQ(queue.taken, 3u);
}

TEST(Arrivals, ThoseThatHaveMadeRoomAreForgottenAtOnce) {
  Arrivals arrivals;
  Queue queue{.depth = 2};
  const auto take = [&] { return queue.take(); };
  queue.put(1000);
  arrivals.came(1000);
  EXPECT_TRUE(arrivals.take_one(take));
  EXPECT_TRUE(arrivals.take_one(take));
  EXPECT_EQ(arrivals.waiting(), 998u);
  EXPECT_FALSE(arrivals.take_one(take));
  EXPECT_EQ(arrivals.waiting(), 0u);
}

TEST(Arrivals, WhatComesWhileNoneIsFoundIsNotForgotten) {
  Arrivals arrivals;
  arrivals.came(5);
  const auto find_none_and_then_some = [&] {
    arrivals.came(2);
    return Taken::none;
  };
  EXPECT_FALSE(arrivals.take_one(find_none_and_then_some));
  EXPECT_EQ(arrivals.waiting(), 2u);
}

TEST(Arrivals, OneThatCannotBeReadIsTaken) {
  Arrivals arrivals;
  arrivals.came(3);
  EXPECT_TRUE(arrivals.take_one([] { return Taken::failed; }));
  EXPECT_EQ(arrivals.waiting(), 2u);
}

TEST(Arrivals, AnExceptionLeavesTheOthers) {
  Arrivals arrivals;
  arrivals.came(3);
  EXPECT_THROW(arrivals.take_one([]() -> Taken { throw std::runtime_error("a callback's"); }),
               std::runtime_error);
  EXPECT_EQ(arrivals.waiting(), 2u);
}

TEST(Arrivals, WhatNobodyToldOfIsTakenOnceAfterTheFirst) {
  Arrivals arrivals;
  Queue queue;
  std::size_t looks = 0;
  const auto take = [&] {
    ++looks;
    return queue.take();
  };
  queue.put(4);  // to whoever listened before
  queue.put(1);
  arrivals.came(1);
  EXPECT_TRUE(arrivals.take_one(take));
  arrivals.take_untold(take);
  EXPECT_EQ(queue.there, 0u);
  EXPECT_EQ(queue.taken, 5u);
  looks = 0;
  arrivals.take_untold(take);
  EXPECT_EQ(looks, 0u);
}

TEST(Arrivals, WhatComesMeanwhileIsLeftToItsJob) {
  Arrivals arrivals;
  Queue queue;
  queue.put(10);
  const auto take_as_one_comes = [&] {
    queue.put(1);
    arrivals.came(1);
    return queue.take();
  };
  arrivals.take_untold(take_as_one_comes);
  EXPECT_EQ(queue.taken, 1u);
  EXPECT_EQ(arrivals.waiting(), 1u);
  // And the rest after it.
  const auto take = [&] { return queue.take(); };
  EXPECT_TRUE(arrivals.take_one(take));
  arrivals.take_untold(take);
  EXPECT_EQ(queue.there, 0u);
}

TEST(Arrivals, WhatCannotBeReadEndsTheLook) {
  Arrivals arrivals;
  int looks = 0;
  const auto fail = [&] {
    ++looks;
    return Taken::failed;
  };
  arrivals.take_untold(fail);
  EXPECT_EQ(looks, 1);
}

TEST(Arrivals, OneThatCouldNotBeReadIsLookedForOnceMore) {
  Arrivals arrivals;
  Queue queue;
  const auto take = [&] { return queue.take(); };
  arrivals.take_untold(take);  // none: all are told of from now on
  queue.put(1);
  arrivals.came(1);
  EXPECT_TRUE(arrivals.take_one([] { return Taken::failed; }));
  arrivals.take_untold(take);
  EXPECT_EQ(queue.taken, 1u);
}

TEST(Arrivals, AnotherGoesOn) {
  Arrivals arrivals;
  arrivals.came(7);
  arrivals.take_one([] { return Taken::one; });
  Arrivals next;
  next.continue_from(arrivals);
  EXPECT_EQ(next.waiting(), 6u);
}

TEST(Arrivals, NoneIsLostBetweenThreads) {
  constexpr std::size_t count = 100'000;
  Arrivals arrivals;
  std::atomic<std::size_t> there = 0;
  std::thread producer([&] {
    for (std::size_t i = 0; i < count; ++i) {
      there.fetch_add(1);
      arrivals.came();
    }
  });
  std::size_t taken = 0;
  while (taken < count) {
    arrivals.take_one([&] {
      if (there.load() == 0) return Taken::none;
      there.fetch_sub(1);
      ++taken;
      return Taken::one;
    });
  }
  producer.join();
  EXPECT_EQ(arrivals.waiting(), 0u);
  EXPECT_EQ(there.load(), 0u);
}

}  // namespace
}  // namespace takt::rclcpp
