// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "gauge.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>

namespace takt::lab {
namespace {

TEST(GaugeTest, SeesMemoryDescriptorsAndThreads) {
  const GaugeRow before = gauge();
  EXPECT_GT(before.at, 0);
  EXPECT_GE(before.threads, 1);
  constexpr std::size_t size = 64 << 20;
  // Not from the allocator, which may keep freed memory.
  void * const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, size);
  const int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  os::Event end;
  os::Thread thread({.name = "test.thread"}, [&end] { end.wait(); });
  const GaugeRow with = gauge();
  EXPECT_GE(with.resident - before.resident, static_cast<std::int64_t>(size / 2));
  EXPECT_EQ(with.descriptors, before.descriptors + 1);
  EXPECT_EQ(with.threads, before.threads + 1);
  close(file);
  end.post();
  thread.join();
  munmap(memory, size);
  const GaugeRow after = gauge();
  EXPECT_LT(after.resident, with.resident);
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.threads, before.threads);
}

}  // namespace
}  // namespace takt::lab
