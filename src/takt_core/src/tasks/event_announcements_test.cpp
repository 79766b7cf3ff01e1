// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/event_announcements.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace takt::tasks {
namespace {

struct Missed {
  int total_count;
};
struct Matched {
  std::size_t total_count;
  std::size_t current_count;
};
struct Alive {
  int alive_count;
};

/// Takes a status with this total; `meanwhile` events are announced during the take.
void take(EventAnnouncements & announcements, std::optional<std::uint64_t> total,
          std::uint64_t meanwhile = 0) {
  const auto take = [&] {
    announcements.announce(meanwhile);
    return std::make_optional(total);
  };
  announcements.take(take, [](const auto & status) { return *status; });
}

TEST(EventAnnouncementsTest, TheFirstOfSeveralAsksForAJob) {
  EventAnnouncements announcements;
  EXPECT_FALSE(announcements.news());
  EXPECT_TRUE(announcements.announce(1));
  EXPECT_FALSE(announcements.announce(1));
  EXPECT_TRUE(announcements.news());
  take(announcements, 2);
  EXPECT_FALSE(announcements.news());
  EXPECT_TRUE(announcements.announce(1));
}

TEST(EventAnnouncementsTest, NothingIsTakenThatWasNotAnnounced) {
  EventAnnouncements announcements;
  bool called = false;
  const auto take = [&called] {
    called = true;
    return std::optional(1);
  };
  const auto no_total = [](const auto &) { return std::optional<std::uint64_t>(); };
  EXPECT_EQ(announcements.take(take, no_total), std::nullopt);
  EXPECT_FALSE(called);
  announcements.announce(1);
  EXPECT_EQ(announcements.take(take, no_total), 1);
}

// An event is announced after the job has checked for news and before it takes the status. The
// total of the status shows that it contains this event.
TEST(EventAnnouncementsTest, WhatWasAnnouncedMeanwhileIsTakenWhereTheTotalHasIt) {
  EventAnnouncements announcements;
  announcements.begin(10);
  announcements.announce(1);
  take(announcements, 12, 1);
  EXPECT_FALSE(announcements.news());
}

TEST(EventAnnouncementsTest, WhatWasAnnouncedAfterTheTakeIsNews) {
  EventAnnouncements announcements;
  announcements.begin(10);
  announcements.announce(1);
  take(announcements, 11, 1);
  EXPECT_TRUE(announcements.news());
  take(announcements, 12);
  EXPECT_FALSE(announcements.news());
}

// Without a total, or with one that does not fit the number of announcements, an event counts as
// news: taking it once too often is better than never.
TEST(EventAnnouncementsTest, WithoutAFittingTotalWhatWasAnnouncedMeanwhileIsNews) {
  for (const std::optional<std::uint64_t> total :
       {std::optional<std::uint64_t>(9), std::optional<std::uint64_t>()}) {
    EventAnnouncements announcements;
    announcements.announce(1);
    take(announcements, total, 1);
    EXPECT_TRUE(announcements.news());
  }
}

TEST(EventAnnouncementsTest, OnlyTotalsThatGrowWithEachAnnouncementCount) {
  EXPECT_EQ(announced_total(Missed{3}), 3u);
  EXPECT_EQ(announced_total(Matched{3, 1}), std::nullopt);
  EXPECT_EQ(announced_total(Alive{3}), std::nullopt);
}

}  // namespace
}  // namespace takt::tasks
