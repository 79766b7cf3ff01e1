// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/switch_records.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>
#include <vector>

#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

std::vector<SwitchRecord> read(SwitchRecords & records, std::uint64_t & lost) {
  std::vector<SwitchRecord> all;
  records.read([&all](const SwitchRecord & record) { all.push_back(record); },
               [&lost](std::uint64_t count) { lost += count; });
  return all;
}

TEST(SwitchRecordsTest, OfAThreadAreInTurnAndInOrder) {
  const Time before = now();
  SwitchRecords records(SwitchRecords::Of::thread, thread_id(), 8);
  if (records.error() != 0) GTEST_SKIP() << records.refusal();
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) sleep_until(now() + 100'000);
  std::uint64_t lost = 0;
  const auto all = read(records, lost);
  const Time after = now();  // the thread may also be preempted while it reads
  EXPECT_EQ(lost, 0u);
  EXPECT_GE(all.size(), 2u * times - 1);
  bool in = true;  // it was on a CPU when recording began
  for (const SwitchRecord & record : all) {
    EXPECT_EQ(record.tid, thread_id());
    EXPECT_NE(record.in, in);
    in = record.in;
    EXPECT_GE(record.at, before);
    EXPECT_LE(record.at, after);
  }
}

TEST(SwitchRecordsTest, WhatFindsNoRoomIsCounted) {
  SwitchRecords records(SwitchRecords::Of::thread, thread_id(), 1);
  if (records.error() != 0) GTEST_SKIP() << records.refusal();
  std::uint64_t lost = 0;
  for (int i = 0; i < 400; ++i) sleep_until(now() + 1000);
  const std::size_t first = read(records, lost).size();
  EXPECT_GT(first, 50u);
  EXPECT_LT(first, 400u);
  // The kernel reports the loss with the next record for which there is room.
  sleep_until(now() + 100'000);
  read(records, lost);
  EXPECT_GT(lost, 0u);
}

TEST(SwitchRecordsTest, WhatIsRefusedIsToldInOneLine) {
  int tid = 0;
  std::thread([&tid] { tid = thread_id(); }).join();
  SwitchRecords records(SwitchRecords::Of::thread, tid, 1);
  EXPECT_TRUE(records.error() == ESRCH || records.error() == EACCES) << records.error();
  EXPECT_EQ(records.refusal().find("the kernel does not record switches: "), 0u);
  EXPECT_EQ(records.refusal().find('\n'), std::string::npos);
  std::uint64_t lost = 0;
  EXPECT_TRUE(read(records, lost).empty());
}

}  // namespace
}  // namespace takt::os
