// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/event.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace takt::os {
namespace {

constexpr Time generous = 30'000'000'000;

TEST(EventTest, APostBeforeTheWaitIsKept) {
  Event event;
  event.post();
  EXPECT_TRUE(event.wait_until(now() + generous));
}

TEST(EventTest, SeveralPostsCountAsOne) {
  Event event;
  event.post();
  event.post();
  EXPECT_TRUE(event.wait_until(0));
  EXPECT_FALSE(event.wait_until(0));
}

TEST(EventTest, DoesNotReturnBeforeTheInstant) {
  Event event;
  const Time instant = now() + 2'000'000;
  EXPECT_FALSE(event.wait_until(instant));
  EXPECT_GE(now(), instant);
}

TEST(EventTest, AnInstantThatHasPassedDoesNotSleep) {
  Event event;
  EXPECT_FALSE(event.wait_until(std::numeric_limits<Time>::min()));
  EXPECT_FALSE(event.wait_until(now()));
}

TEST(EventTest, CanBeUsedAgainAfterATimeout) {
  Event event;
  EXPECT_FALSE(event.wait_until(now() + 1000));
  event.post();
  EXPECT_TRUE(event.wait_until(std::numeric_limits<Time>::max()));
}

TEST(EventTest, CountsOnlyTheWaitsThatSleep) {
  Event event;
  const std::uint64_t before = waits_of_thread();
  event.post();
  event.wait();
  EXPECT_EQ(waits_of_thread(), before);
  EXPECT_FALSE(event.wait_until(now() + 1000));
  EXPECT_EQ(waits_of_thread(), before + 1);
}

TEST(EventTest, WhatWasWrittenBeforeThePostIsSeenAfterTheWait) {
  constexpr int rounds = 20'000;
  Event ping;
  Event pong;
  int number = 0;  // not atomic: the events order the accesses
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      ping.wait();
      ++number;
      pong.post();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    ++number;
    ping.post();
    pong.wait();
    ASSERT_EQ(number, 2 * (i + 1));
  }
  other.join();
}

// With timeouts and posts at the same time, no post is lost.
TEST(EventTest, NoPostIsLostAmongTimeouts) {
  constexpr int rounds = 5000;
  Event event;
  Event taken;
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      event.post();
      taken.wait();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    while (!event.wait_until(now() + 500)) {
    }
    taken.post();
  }
  other.join();
}

}  // namespace
}  // namespace takt::os
