// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace takt::os::testing {

/// Uses `bytes` of the calling thread's stack, frame by frame, as a recursion does.
// NOLINTNEXTLINE(misc-no-recursion)
[[gnu::noinline]] inline std::size_t go_deep(std::size_t bytes) {
  volatile char piece[4096];
  piece[0] = static_cast<char>(bytes);
  return bytes < sizeof piece
             ? 0
             : go_deep(bytes - sizeof piece) + static_cast<std::size_t>(piece[0] != 0);
}

}  // namespace takt::os::testing
