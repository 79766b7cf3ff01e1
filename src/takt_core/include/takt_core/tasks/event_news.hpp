// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::tasks {

/// Whether the status of a publisher's or subscription's event reports a change since it was last
/// taken. The middleware notifies once per change, but a take returns all changes so far; so after
/// two notifications the second take may return a status without a change. `Status`: an event
/// structure of rmw, of which only these fields are used. Neither allocates nor blocks.
template <typename Status>
  requires requires(const Status & status) { status.total_count_change; } ||
           requires(const Status & status) { status.alive_count_change; }
bool reports_change(const Status & status) noexcept {
  bool news = false;
  if constexpr (requires { status.total_count_change; }) news |= status.total_count_change != 0;
  if constexpr (requires { status.current_count_change; }) news |= status.current_count_change != 0;
  if constexpr (requires { status.alive_count_change; }) {
    news |= status.alive_count_change != 0 || status.not_alive_count_change != 0;
  }
  return news;
}

}  // namespace takt::tasks
