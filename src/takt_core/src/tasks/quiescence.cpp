// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/quiescence.hpp"

#include <chrono>
#include <thread>

#include "takt_core/tasks/current_job.hpp"

namespace takt::tasks {

void wait_for_started(const std::function<bool()> & quiesce) {
  constexpr std::chrono::milliseconds longest(500);
  constexpr std::chrono::milliseconds look_again(1);
  const auto until = std::chrono::steady_clock::now() + longest;
  while (!quiesce()) {
    if (current_job() != nullptr || std::chrono::steady_clock::now() >= until) return;
    std::this_thread::sleep_for(look_again);
  }
}

}  // namespace takt::tasks
