// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace takt::os {

/// How real-time threads of this process waited for ordinary mutexes, the middleware's for instance.
/// Those above lend_up_to() are not counted.
struct LockWaits {
  std::uint64_t waits = 0;
  std::int64_t longest_ns = 0;
  /// Of the longest: the function that waited, as far as its library names it, and the library.
  std::string where;
};

/// Known where the process has loaded libtakt_inheritance.so first (LD_PRELOAD), with which every
/// ordinary mutex lends its holder the priority of who waits; nothing elsewhere. Since the process
/// began. Any thread; allocates.
std::optional<LockWaits> lock_waits();

/// With libtakt_inheritance.so threads up to this real-time priority lend it to the holders of the
/// mutexes that they wait for, and those above ask again every 50 us; without it, no effect. All do
/// until this is called, which may be more than once: the highest counts. Any thread.
void lend_up_to(int priority) noexcept;

}  // namespace takt::os
