// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// When tasks are released next. Timers that share period and next release form one source with one
/// place in the heap, so a thousand timers due at one instant cost one heap operation.
/// Allocates only in add().
class ReleaseQueue {
 public:
  struct Source {
    Duration period = 0;
    std::vector<TaskId> members;
  };

  /// Forgets all sources.
  void clear() noexcept {
    sources_.clear();
    heap_.clear();
  }
  /// No source is due any more.
  void pause() noexcept { heap_.clear(); }

  /// Adds a source that is not yet due at any time. Returns its number.
  std::uint32_t add(Duration period, std::vector<TaskId> members) {
    sources_.push_back({period, std::move(members)});
    heap_.reserve(sources_.size());
    return static_cast<std::uint32_t>(sources_.size() - 1);
  }

  std::size_t size() const noexcept { return sources_.size(); }
  const std::vector<TaskId> & members(std::uint32_t source) const noexcept {
    return sources_[source].members;
  }

  /// The earliest instant at which a source is due; `never` if none.
  Time next() const noexcept { return heap_.empty() ? never : heap_.front().at; }
  /// The source due at next().
  const Source & first() const noexcept { return sources_[heap_.front().source]; }

  /// Makes a source due; it must not be due already. O(log n).
  void push(std::uint32_t source, Time at) noexcept {
    heap_.push_back({at, source});
    std::push_heap(heap_.begin(), heap_.end(), follows);
  }
  /// Makes a source due, whether it was or not; `never`: it is not due any more. O(n).
  void set(std::uint32_t source, Time at) noexcept {
    std::erase_if(heap_, [source](const Due & due) { return due.source == source; });
    if (at != never) heap_.push_back({at, source});
    std::make_heap(heap_.begin(), heap_.end(), follows);
  }
  /// Makes the first source due at a later instant. O(log n).
  void postpone(Time at) noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), follows);
    heap_.back().at = at;
    std::push_heap(heap_.begin(), heap_.end(), follows);
  }
  /// The first source is no longer due. O(log n).
  void pop() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), follows);
    heap_.pop_back();
  }

 private:
  struct Due {
    Time at;
    std::uint32_t source;
  };
  static bool follows(const Due & a, const Due & b) noexcept {
    return a.at != b.at ? a.at > b.at : a.source > b.source;
  }

  std::vector<Source> sources_;
  std::vector<Due> heap_;
};

}  // namespace takt::model
