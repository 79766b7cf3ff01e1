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

/// Collects values from callbacks, for a thread that waits for them.
template <typename T>
class Seen {
 public:
  void add(T value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    more_.notify_all();
  }
  /// Waits for `count` values, for at most `patience`, and returns all values so far.
  std::vector<T> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    more_.wait_for(lock, patience, [&] { return values_.size() >= count; });
    return values_;
  }
  /// Waits for the value, for at most `patience`; returns whether it has been added.
  bool wait_for_value(const T & value) {
    std::unique_lock lock(mutex_);
    return more_.wait_for(lock, patience, [&] {
      return std::find(values_.begin(), values_.end(), value) != values_.end();
    });
  }
  /// Waits for a value that matches, for at most `patience`, and returns all values up to it.
  template <typename Matches>
  std::vector<T> wait_until(Matches matches) {
    std::unique_lock lock(mutex_);
    auto end = values_.end();
    more_.wait_for(lock, patience, [&] {
      const auto found = std::find_if(values_.begin(), values_.end(), matches);
      end = found == values_.end() ? found : found + 1;
      return found != values_.end();
    });
    return {values_.begin(), end};
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
