// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/middlewares.hpp"

#include <algorithm>
#include <atomic>

namespace takt::tasks {
namespace {

/// True for rmw_fastrtps_cpp and rmw_fastrtps_dynamic_cpp, which share everything but type support.
constexpr bool is_fastrtps(std::string_view rmw) {
  return rmw.substr(0, 12) == "rmw_fastrtps";
}

}  // namespace

bool was_tried(std::string_view rmw) noexcept {
  return std::find(tried_middlewares.begin(), tried_middlewares.end(), rmw) !=
         tried_middlewares.end();
}

bool counts_inside_at_once(std::string_view rmw) noexcept {
  return is_fastrtps(rmw) || rmw == "rmw_cyclonedds_cpp";
}

bool graph_is_immediate(std::string_view rmw) noexcept {
  return is_fastrtps(rmw);
}

bool forgets_events(std::string_view rmw) noexcept {
  return is_fastrtps(rmw);
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
