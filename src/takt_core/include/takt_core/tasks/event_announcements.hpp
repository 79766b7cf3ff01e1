// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace takt::tasks {

/// Returns the total count of a status of rmw if that grows by one with each announcement of its
/// event, as for missed deadlines, lost liveliness and incompatible QoS; no value for a status that
/// is also announced when a count decreases.
template <typename Status>
std::optional<std::uint64_t> announced_total(const Status & status) noexcept {
  if constexpr (requires { status.total_count; } && !requires { status.current_count; }) {
    return static_cast<std::uint64_t>(status.total_count);
  } else {
    return std::nullopt;
  }
}

/// Counts the announcements of an event, and how many of them were taken with its status. A status
/// contains everything that was announced before it was taken, and possibly events that were
/// announced while it was being taken: its total tells which. Neither allocates nor blocks.
class EventAnnouncements {
 public:
  /// Sets the total at the time when listening begins. To be called before the first announcement.
  void begin(std::optional<std::uint64_t> total) noexcept { base_ = total.value_or(0); }
  /// Takes over the state of the object that this one replaces. Neither may get announcements
  /// meanwhile.
  void continue_from(const EventAnnouncements & old) noexcept {
    base_ = old.base_;
    announced_.store(old.announced_.load());
    taken_.store(old.taken_.load());
  }
  /// Adds announcements. Returns whether a job has to be released, which is so if all earlier
  /// announcements have been taken. Any thread.
  bool announce(std::uint64_t count) noexcept {
    return announced_.fetch_add(count) == taken_.load();
  }
  /// Whether something was announced and not taken. Any thread.
  bool news() const noexcept { return announced_.load() != taken_.load(); }
  /// If something was announced, takes a status by `take` and returns it; otherwise returns an
  /// empty one. `take` returns an empty status if there is none; `total_of` returns the
  /// announced_total() of a status. One thread at a time.
  template <typename Take, typename TotalOf>
  auto take(const Take & take, const TotalOf & total_of) -> decltype(take()) {
    if (!news()) return {};
    const std::uint64_t before = announced_.load();
    auto status = take();
    took(before, status ? total_of(status) : std::nullopt);
    return status;
  }

 private:
  /// A total that does not fit the number of announcements is ignored, since not every middleware
  /// announces each change separately.
  void took(std::uint64_t announced_before, std::optional<std::uint64_t> total) noexcept {
    const std::uint64_t announced_after = announced_.load();
    std::uint64_t taken = announced_before;
    if (total && *total >= base_) {
      const std::uint64_t by_total = *total - base_;
      if (by_total >= announced_before && by_total <= announced_after) taken = by_total;
    }
    taken_.store(taken);
  }

  std::uint64_t base_ = 0;
  std::atomic<std::uint64_t> announced_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace takt::tasks
