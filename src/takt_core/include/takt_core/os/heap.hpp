// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/os/rights.hpp"

namespace takt::os {

/// What keep_heap() takes at most, in bytes.
inline constexpr std::int64_t most_kept_heap = INT32_MAX;

/// From now on each of malloc's arenas keeps up to so many bytes of freed memory at its end instead of
/// giving them back to the kernel, and what is allocated in one piece of up to so many bytes, 32 MiB
/// at most, comes from an arena, not from the kernel. `bytes` from 1 to most_kept_heap. For the whole
/// process, for good. `granted` is 1; 0 with another C library than glibc. Any thread; allocates only
/// for an error.
Granted keep_heap(std::int64_t bytes);

}  // namespace takt::os
