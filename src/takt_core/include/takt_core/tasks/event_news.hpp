// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::tasks {

/// Whether the status of an event of a publisher or subscription, as the middleware's interface has it
/// (rmw's structures, of which nothing is known here but these fields), tells of something that has
/// changed since it was taken last: of two changes that come at once the middleware tells twice, and
/// whoever takes first has both.
template <typename Status>
  requires requires(const Status & status) { status.total_count_change; } ||
           requires(const Status & status) { status.alive_count_change; }
bool tells_news(const Status & status) noexcept {
  bool news = false;
  if constexpr (requires { status.total_count_change; }) news |= status.total_count_change != 0;
  if constexpr (requires { status.current_count_change; }) news |= status.current_count_change != 0;
  if constexpr (requires { status.alive_count_change; }) {
    news |= status.alive_count_change != 0 || status.not_alive_count_change != 0;
  }
  return news;
}

}  // namespace takt::tasks
