// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "notice_ring.hpp"

#include <gtest/gtest.h>

#include "takt_core/model/local_scheduler.hpp"

namespace takt::model {
namespace {

Miss miss(TaskId task, std::uint64_t index) {
  return {.job = {.task = task, .index = index}};
}

void use(NoticeRing<Miss> & ring, std::size_t places) {
  std::vector<Miss> room(places);
  ring.use(room);
}

std::vector<std::uint64_t> drain(NoticeRing<Miss> & ring) {
  std::vector<std::uint64_t> all;
  for (Miss each; ring.pop(each);) all.push_back(each.job.index);
  return all;
}

TEST(NoticeRingTest, GivesTheOldestFirst) {
  NoticeRing<Miss> ring;
  use(ring, 3);
  for (std::uint64_t i = 0; i < 10; ++i) {
    ring.push(miss(0, i));
    ring.push(miss(0, 100 + i));
    EXPECT_EQ(drain(ring), (std::vector<std::uint64_t>{i, 100 + i}));
  }
  EXPECT_EQ(ring.lost(), 0u);
}

TEST(NoticeRingTest, CountsWhatDoesNotFit) {
  NoticeRing<Miss> ring;
  use(ring, 2);
  for (std::uint64_t i = 0; i < 5; ++i) ring.push(miss(0, i));
  EXPECT_EQ(drain(ring), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(ring.lost(), 3u);
  NoticeRing<Miss> none;
  none.push(miss(0, 0));
  EXPECT_EQ(none.lost(), 1u);
}

TEST(NoticeRingTest, KeepsItsContentWhenItsSizeChanges) {
  NoticeRing<Miss> ring;
  use(ring, 3);
  ring.push(miss(0, 9));
  EXPECT_EQ(drain(ring).size(), 1u);
  for (std::uint64_t i = 0; i < 3; ++i) ring.push(miss(0, i));
  use(ring, 5);
  ring.push(miss(0, 3));
  EXPECT_EQ(drain(ring), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(NoticeRingTest, ForgetsATask) {
  NoticeRing<Miss> ring;
  use(ring, 4);
  for (std::uint64_t i = 0; i < 4; ++i) ring.push(miss(i % 2 == 0 ? 1 : 2, i));
  ring.forget(1);
  EXPECT_EQ(drain(ring), (std::vector<std::uint64_t>{1, 3}));
}

}  // namespace
}  // namespace takt::model
