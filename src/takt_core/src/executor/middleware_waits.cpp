// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "middleware_waits.hpp"

#include <algorithm>
#include <utility>

#include "takt_core/os/lock.hpp"

namespace takt::executor {

void MiddlewareWaits::waited(const Found & wait) noexcept {
  waits_.fetch_add(1, std::memory_order_relaxed);
  std::int64_t longest = longest_wait();
  while (wait.length > longest &&
         !longest_.compare_exchange_weak(longest, wait.length, std::memory_order_relaxed)) {
  }
  if (wait.length > bound_) keep(wait);
}

void MiddlewareWaits::overran(const Found & section) noexcept {
  overlong_.fetch_add(1, std::memory_order_relaxed);
  if (section.other != TaskId::none) keep(section);
}

void MiddlewareWaits::keep(const Found & found) noexcept {
  const os::Lock lock(mutex_);
  for (std::size_t i = 0; i < count_; ++i) {
    Found & each = found_[i];
    if (each.kind != found.kind || each.task != found.task || each.other != found.other ||
        each.entity != found.entity) {
      continue;
    }
    if (found.length > each.length) each = found;
    return;
  }
  if (count_ < most) found_[count_++] = found;
}

std::vector<MiddlewareWaits::Found> MiddlewareWaits::take() {
  std::vector<Found> all;
  all.reserve(most);
  const os::Lock lock(mutex_);
  for (; count_ > 0; --count_) all.push_back(std::move(found_[count_ - 1]));
  return all;
}

}  // namespace takt::executor
