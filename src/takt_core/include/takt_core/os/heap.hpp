// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/os/rights.hpp"

namespace takt::os {

/// The greatest argument of keep_heap(), in bytes.
inline constexpr std::int64_t most_kept_heap = INT32_MAX;

/// Makes each malloc arena keep up to `bytes` (1 to most_kept_heap) of freed memory at its end
/// rather than return it to the kernel, and serve blocks of up to that size, at most 32 MiB, from
/// the arena rather than by a mapping of their own (M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of
/// mallopt(3)). For the whole process, irrevocably. `granted` is 1, or 0 with a C library other
/// than glibc. Any thread; allocates only for an error.
Granted keep_heap(std::int64_t bytes);

}  // namespace takt::os
