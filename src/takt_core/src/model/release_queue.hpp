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
/// place in the heap, so a thousand timers due at one instant cost one heap operation. What a release
/// of a single task needs lies in the heap itself: after ten idle milliseconds each line of memory
/// that is touched elsewhere costs more than the operation. Allocates only in add().
class ReleaseQueue {
 public:
  /// A source that is due.
  struct Due {
    Time at;
    Duration period;
    std::uint32_t source;
    TaskId only;  ///< its member; `none`: it has several
    bool timer;
  };

  /// Forgets all sources.
  void clear() noexcept {
    sources_.clear();
    members_.clear();
    heap_.clear();
  }
  /// No source is due any more.
  void pause() noexcept { heap_.clear(); }

  /// Adds a source that is not yet due at any time, with at least one member. Returns its number.
  std::uint32_t add(Duration period, bool timer, std::span<const TaskId> members) {
    const auto from = static_cast<std::uint32_t>(members_.size());
    members_.insert(members_.end(), members.begin(), members.end());
    sources_.push_back({period, from, static_cast<std::uint32_t>(members.size()), timer});
    heap_.reserve(sources_.size());
    return static_cast<std::uint32_t>(sources_.size() - 1);
  }

  std::size_t size() const noexcept { return sources_.size(); }
  bool timer(std::uint32_t source) const noexcept { return sources_[source].timer; }
  std::span<const TaskId> members(std::uint32_t source) const noexcept {
    return {members_.data() + sources_[source].from, sources_[source].count};
  }

  /// The earliest instant at which a source is due; `never` if none.
  Time next() const noexcept { return heap_.empty() ? never : heap_.front().at; }
  /// The source due at next(); until the next change of what is due.
  const Due & first() const noexcept { return heap_.front(); }
  std::span<const TaskId> first_members() const noexcept {
    const Due & due = heap_.front();
    if (due.only != none) return {&due.only, 1};
    return members(due.source);
  }

  /// The sources of one task that are due at or before `limit`, in no order: `each(task)`. O(of them).
  template <typename Each>
  void due_by(Time limit, const Each & each, std::size_t at = 0) const noexcept {
    if (at >= heap_.size() || heap_[at].at > limit) return;
    if (heap_[at].only != none) each(heap_[at].only);
    due_by(limit, each, 2 * at + 1);
    due_by(limit, each, 2 * at + 2);
  }

  /// Makes a source due; it must not be due already. O(log n).
  void push(std::uint32_t source, Time at) noexcept {
    heap_.push_back(due(source, at));
    std::push_heap(heap_.begin(), heap_.end(), follows);
  }
  /// Makes a source due, whether it was or not; `never`: it is not due any more. O(n).
  void set(std::uint32_t source, Time at) noexcept {
    std::erase_if(heap_, [source](const Due & other) { return other.source == source; });
    if (at != never) heap_.push_back(due(source, at));
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
  struct Source {
    Duration period;
    std::uint32_t from;  ///< its members
    std::uint32_t count;
    bool timer;
  };
  static bool follows(const Due & a, const Due & b) noexcept {
    return a.at != b.at ? a.at > b.at : a.source > b.source;
  }
  Due due(std::uint32_t source, Time at) const noexcept {
    const Source & of = sources_[source];
    return {at, of.period, source, of.count == 1 ? members_[of.from] : none, of.timer};
  }

  std::vector<Source> sources_;
  std::vector<TaskId> members_;
  std::vector<Due> heap_;
};

}  // namespace takt::model
