// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace takt::tasks {

/// The total of a status of rmw that grows by one with each announcement of its event, as far as a middleware announces
/// each change: of missed deadlines, lost liveliness and incompatible settings. None for statuses that are announced as
/// they shrink, too.
template <typename Status>
std::optional<std::uint64_t> announced_total(const Status & status) noexcept {
  if constexpr (requires { status.total_count; } && !requires { status.current_count; }) {
    return static_cast<std::uint64_t>(status.total_count);
  } else {
    return std::nullopt;
  }
}

/// Which announcements of an event were taken with its status. A status has all that was announced before it was taken,
/// and perhaps what was announced meanwhile; its total tells.
class EventAnnouncements {
 public:
  /// The total as listening begins, before anything is announced.
  void begin(std::optional<std::uint64_t> total) noexcept { base_ = total.value_or(0); }
  /// Of the one that another takes the place of. Nothing is announced to either meanwhile.
  void continue_from(const EventAnnouncements & old) noexcept {
    base_ = old.base_;
    announced_.store(old.announced_.load());
    taken_.store(old.taken_.load());
  }
  /// From any thread. Whether nobody knows yet that there is something to take.
  bool announce(std::uint64_t count) noexcept {
    return announced_.fetch_add(count) == taken_.load();
  }
  /// Whether something was announced and not taken.
  bool news() const noexcept { return announced_.load() != taken_.load(); }
  /// To be called before a status is taken, and given to `took` after that.
  std::uint64_t announced() const noexcept { return announced_.load(); }
  /// By the one thread that takes. A total that does not fit the announcements is none: not every middleware announces
  /// each change by itself.
  void took(std::uint64_t announced_before, std::optional<std::uint64_t> total) noexcept {
    const std::uint64_t announced_after = announced_.load();
    std::uint64_t taken = announced_before;
    if (total && *total >= base_) {
      const std::uint64_t by_total = *total - base_;
      if (by_total >= announced_before && by_total <= announced_after) taken = by_total;
    }
    taken_.store(taken);
  }

 private:
  std::uint64_t base_ = 0;
  std::atomic<std::uint64_t> announced_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace takt::tasks
