// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/duration.hpp"

namespace takt::testing {

/// Uses up CPU time.
inline void burn(Duration cpu) {
  const model::Time end = os::thread_cpu() + cpu.count();
  while (os::thread_cpu() < end) {
  }
}

}  // namespace takt::testing
