// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "testing/background.hpp"

namespace takt::testing {

/// What callbacks saw, for a thread that waits for it.
template <typename T>
class Seen {
 public:
  void add(T value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    more_.notify_all();
  }
  /// All values, when there are `count` of them or after a long time.
  std::vector<T> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    more_.wait_for(lock, patience, [&] { return values_.size() >= count; });
    return values_;
  }
  /// Whether the value has come, now or in a long time.
  bool wait_for_value(const T & value) {
    std::unique_lock lock(mutex_);
    return more_.wait_for(lock, patience, [&] {
      return std::find(values_.begin(), values_.end(), value) != values_.end();
    });
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    values_.clear();
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return values_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::vector<T> values_;
};

}  // namespace takt::testing
