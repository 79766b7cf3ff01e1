// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace takt::os {

/// How real-time threads of this process have waited for ordinary mutexes, the middleware's for
/// instance. Waits of threads above lend_up_to() are not counted.
struct LockWaits {
  std::uint64_t waits = 0;
  std::int64_t longest_ns = 0;
  /// Of the longest wait: the waiting function and its library, or the library and the offset in it
  /// if the library has no name for the function.
  std::string where;
  /// The function that held a mutex for the longest while another thread waited, and who called
  /// it, named in the same way, and the thread. Empty: not known.
  std::string held_by;
};

/// The lock waits since the process began. No value unless the process has loaded
/// libtakt_inheritance.so first (LD_PRELOAD), which makes every ordinary mutex inherit priority.
/// Any thread; allocates.
std::optional<LockWaits> lock_waits();

/// Sets the highest real-time priority that is inherited through ordinary mutexes by
/// libtakt_inheritance.so; threads above it poll such a mutex every 50 us. Without that library no
/// effect. Before the first call all priorities are inherited; of several calls the highest counts.
/// Any thread; neither allocates nor blocks.
void lend_up_to(int priority) noexcept;

}  // namespace takt::os
