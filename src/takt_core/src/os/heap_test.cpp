// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/heap.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdlib>

#include "takt_core/os/testing/sanitized.hpp"

namespace takt::os {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// The bytes that malloc has from the kernel for a block of this size: in mappings of their own
/// while it is allocated, and in arenas after it is freed.
struct Had {
  std::size_t mapped = 0;
  std::size_t arena_after = 0;
};

Had allocate(std::size_t size) {
  void * const piece = std::malloc(size);
  static_cast<volatile char *>(piece)[0] = 1;
  Had had;
  had.mapped = mallinfo2().hblkhd;
  std::free(piece);
  had.arena_after = mallinfo2().arena;
  return had;
}

// In a process of its own, as the setting is permanent.
TEST(HeapTest, FreedMemoryIsKept) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers replace malloc by one without arenas";
  EXPECT_EXIT(
      {
        const Had before = allocate(8 * mib);
        const Granted granted = keep_heap(static_cast<std::int64_t>(64 * mib));
        const Had after = allocate(16 * mib);
        const bool right = granted.ok() && before.mapped >= 8 * mib && after.mapped < 8 * mib &&
                           after.arena_after >= 16 * mib;
        std::_Exit(right ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace takt::os
