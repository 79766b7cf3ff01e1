// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "shared_heap.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace takt::lab {
namespace {

// AddressSanitizer would report a block that is freed twice, used after it was freed, or never freed.
TEST(SharedHeapTest, ThreadsFreeEachOthersBlocks) {
  SharedHeap heap;
  std::atomic<std::uint64_t> count{0};
  const auto exchange = [&] {
    while (count < 10'000) heap.exchange(4096, count++);
  };
  std::thread other(exchange);
  exchange();
  other.join();
  EXPECT_GE(count.load(), 10'000U);
}

}  // namespace
}  // namespace takt::lab
