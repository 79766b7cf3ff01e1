// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/trace/ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace takt::trace {
namespace {

std::vector<Event> drained(Ring & ring) {
  std::vector<Event> all;
  ring.drain([&](std::span<const Event> part) { all.insert(all.end(), part.begin(), part.end()); });
  return all;
}

TEST(RingTest, EventsComeOutAsTheyWentInWithTheNumberOfTheRing) {
  Ring ring(7, 4);
  ring.push({.at = 1, .index = 2, .value = -3, .task = 4, .kind = Kind::start, .level = 5});
  ring.push({.at = 2, .kind = Kind::finish, .flags = flags::late});
  const std::vector<Event> events = drained(ring);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].at, 1);
  EXPECT_EQ(events[0].index, 2U);
  EXPECT_EQ(events[0].value, -3);
  EXPECT_EQ(events[0].task, 4U);
  EXPECT_EQ(events[0].kind, Kind::start);
  EXPECT_EQ(events[0].level, 5);
  EXPECT_EQ(events[0].ring, 7);
  EXPECT_EQ(events[1].flags, flags::late);
  EXPECT_TRUE(drained(ring).empty());
}

TEST(RingTest, WhatFindsNoRoomIsDroppedAndCountedAndTheOldestStay) {
  Ring ring(1, 4);
  for (os::Time at = 0; at < 7; ++at) ring.push({.at = at});
  EXPECT_EQ(ring.dropped(), 3U);
  std::vector<Event> events = drained(ring);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events.front().at, 0);
  EXPECT_EQ(events.back().at, 3);
  ring.push({.at = 9});
  events = drained(ring);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at, 9);
  EXPECT_EQ(ring.dropped(), 3U);
}

TEST(RingTest, ItsCapacityIsRoundedUpAndItWrapsInOrder) {
  Ring ring(1, 3);
  EXPECT_EQ(ring.capacity(), 4U);
  os::Time pushed = 0;
  os::Time next = 0;
  ring.push({.at = pushed++});
  while (next < 30) {
    // An event is added during each drain, so the ring is never empty and does not restart at its
    // front.
    bool more = true;
    ring.drain([&](std::span<const Event> part) {
      for (const Event & event : part) EXPECT_EQ(event.at, next++);
      if (std::exchange(more, false)) {
        ring.push({.at = pushed++});
        ring.push({.at = pushed++});
      }
    });
    EXPECT_EQ(pushed - next, 2);
  }
  EXPECT_EQ(ring.dropped(), 0U);
}

TEST(RingTest, DrainedItBeginsAgainAtItsFront) {
  Ring ring(1, 4);
  const Event * front = nullptr;
  for (int lap = 0; lap < 3; ++lap) {
    ring.push({.at = lap});
    ring.drain([&](std::span<const Event> part) {
      EXPECT_EQ(part.size(), 1U);
      if (front == nullptr) front = part.data();
      EXPECT_EQ(part.data(), front);
    });
  }
}

TEST(RingTest, OfWhatOneThreadWritesWhileAnotherDrainsNothingIsLostUnseen) {
  constexpr os::Time count = 200'000;
  Ring ring(1, 64);
  std::atomic<bool> done{false};
  std::uint64_t seen = 0;
  os::Time last = -1;
  bool ordered = true;
  std::thread drains([&] {
    const auto look = [&](std::span<const Event> part) {
      for (const Event & event : part) {
        // Each event was written completely: its fields match.
        ordered = ordered && event.at > last && event.value == -event.at;
        last = event.at;
        ++seen;
      }
    };
    while (!done.load()) ring.drain(look);
    ring.drain(look);
  });
  for (os::Time at = 0; at < count; ++at) ring.push({.at = at, .value = -at});
  done = true;
  drains.join();
  EXPECT_TRUE(ordered);
  EXPECT_EQ(seen + ring.dropped(), static_cast<std::uint64_t>(count));
}

}  // namespace
}  // namespace takt::trace
