// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/middlewares.hpp"

#include <algorithm>
#include <atomic>

namespace takt::tasks {

bool was_tried(std::string_view rmw) noexcept {
  return std::find(tried_middlewares.begin(), tried_middlewares.end(), rmw) !=
         tried_middlewares.end();
}

std::string warn_once_of_untried(std::string_view rmw) {
  static std::atomic<bool> warned{false};
  if (was_tried(rmw) || warned.exchange(true)) return {};
  std::string names;
  for (const std::string_view name : tried_middlewares) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return "takt was never tried over '" + std::string(rmw) +
         "': which of its threads get real-time priorities, and what its events and queues do, may "
         "differ from what is documented; tried were " +
         names;
}

}  // namespace takt::tasks
