// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// The next releases of tasks. Timers with the same period and the same next release form one
/// source, so that a thousand timers due at one instant cost one operation. Sources with the same
/// period keep their order from release to release, whatever their phases, so they form a list
/// (run), of which only the first is in the heap: fifty timers with grids of their own cost no heap
/// operation either. A source that would be out of order in its run is in the heap by itself until
/// its next release. Allocates only in add().
class ReleaseQueue {
 public:
  /// A source, with all data for the release of a single task in one place: after ten idle
  /// milliseconds each cache line touched costs more than the operation itself.
  struct Due {
    Time at = never;  ///< the next release, if it is due at all
    Duration period;
    TaskId only;  ///< its task; `none`: it has several
    std::uint32_t run : 31;
    std::uint32_t timer : 1;
    std::uint32_t before;  ///< the source before it in its run; `none`: it is the first or in none
    std::uint32_t next;    ///< the one after it; `none`: it is the last or in none
  };

  /// Makes no source due any more. O(n).
  void pause() noexcept {
    heap_.clear();
    for (Run & run : runs_) run.first = none;
    for (Due & source : sources_) source.before = none;
  }

  /// Makes room for `sources` sources.
  void reserve(std::size_t sources) {
    sources_.reserve(sources);
    spans_.reserve(sources);
    heap_.reserve(sources);
  }

  /// Adds a source with at least one member, which is not due yet. Returns its number.
  std::uint32_t add(Duration period, bool timer, std::span<const TaskId> members) {
    const auto number = static_cast<std::uint32_t>(sources_.size());
    sources_.push_back({.period = period,
                        .only = members.size() == 1 ? members.front() : none,
                        .run = run_of(period) & most_runs,
                        .timer = timer,
                        .before = none,
                        .next = none});
    spans_.push_back(
        {static_cast<std::uint32_t>(members_.size()), static_cast<std::uint32_t>(members.size())});
    if (members.size() > 1) members_.insert(members_.end(), members.begin(), members.end());
    if (heap_.capacity() < sources_.size()) heap_.reserve(2 * sources_.size());
    return number;
  }

  std::size_t size() const noexcept { return sources_.size(); }
  bool timer(std::uint32_t source) const noexcept { return sources_[source].timer; }
  std::span<const TaskId> members(std::uint32_t source) const noexcept {
    if (sources_[source].only != none) return {&sources_[source].only, 1};
    return {members_.data() + spans_[source].from, spans_[source].count};
  }

  /// The earliest instant at which a source is due; `never` if there is none.
  Time next() const noexcept { return heap_.empty() ? never : heap_.front().at; }
  /// The source due at next(); valid until the next change.
  const Due & first() const noexcept { return sources_[heap_.front().source]; }
  std::span<const TaskId> first_members() const noexcept { return members(heap_.front().source); }

  /// Calls `each(task)` for single-task sources that are due at or before `limit`, in unspecified
  /// order. O(their number).
  template <typename Each>
  void due_by(Time limit, const Each & each, std::size_t at = 0) const noexcept {
    if (at >= heap_.size() || heap_[at].at > limit) return;
    for (std::uint32_t source = heap_[at].source; source != none; source = sources_[source].next) {
      if (sources_[source].at > limit) break;
      if (sources_[source].only != none) each(sources_[source].only);
    }
    due_by(limit, each, 2 * at + 1);
    due_by(limit, each, 2 * at + 2);
  }

  /// Makes a source due that is not due yet. O(log n); O(1) if it follows all others of its period.
  void push(std::uint32_t source, Time at) noexcept {
    Due & due = sources_[source];
    Run & run = runs_[due.run];
    due.at = at;
    due.before = due.next = none;
    if (run.first != none && precedes(run.last, source)) {
      sources_[run.last].next = source;
      due.before = run.last;
      run.last = source;
      return;
    }
    if (run.first == none) run.first = run.last = source;
    heap_.push_back({at, source});
    std::push_heap(heap_.begin(), heap_.end(), follows);
  }
  /// Makes a source due at another instant, whether it was due or not; `never`: not due any more.
  /// O(number of periods and of sources out of order), as timers that are reset are in order.
  void set(std::uint32_t source, Time at) noexcept {
    remove(source);
    if (at != never) push(source, at);
  }
  /// Makes the first source due at a later instant. Costs as push().
  void postpone(Time at) noexcept {
    const std::uint32_t source = heap_.front().source;
    pop();
    push(source, at);
  }
  /// Makes the first source not due. O(log n) in the number of periods and of sources out of order.
  void pop() noexcept {
    const std::uint32_t source = heap_.front().source;
    std::pop_heap(heap_.begin(), heap_.end(), follows);
    Run & run = runs_[sources_[source].run];
    const std::uint32_t next = sources_[source].next;
    if (run.first == source) run.first = next;
    if (next != none) {
      sources_[next].before = none;
      heap_.back() = {sources_[next].at, next};
      std::push_heap(heap_.begin(), heap_.end(), follows);
    } else {
      heap_.pop_back();
    }
  }

 private:
  static constexpr std::uint32_t most_runs = 0x7fff'ffff;
  /// The sources of one period, in order; those out of order are in no run.
  struct Run {
    std::uint32_t first = none;
    std::uint32_t last = none;  ///< valid if there is a first
  };
  /// An element of the heap: the first source of a run, or one in no run.
  struct Place {
    Time at;
    std::uint32_t source;
  };
  struct Span {
    std::uint32_t from;
    std::uint32_t count;
  };

  std::uint32_t run_of(Duration period) {
    if (!sources_.empty() && sources_.back().period == period) return sources_.back().run;
    const auto [run, is_new] =
        run_of_period_.try_emplace(period, static_cast<std::uint32_t>(runs_.size()));
    if (is_new) runs_.emplace_back();
    return run->second;
  }

  // A function object, which the compiler inlines; a pointer to a function it would call.
  static constexpr auto follows = [](const Place & a, const Place & b) noexcept {
    return a.at != b.at ? a.at > b.at : a.source > b.source;
  };
  bool precedes(std::uint32_t a, std::uint32_t b) const noexcept {
    return follows({sources_[b].at, b}, {sources_[a].at, a});
  }

  void remove(std::uint32_t source) noexcept {
    Run & run = runs_[sources_[source].run];
    const auto [before, next] = std::pair(sources_[source].before, sources_[source].next);
    if (before != none) {
      sources_[before].next = next;
      (next != none ? sources_[next].before : run.last) = before;
      sources_[source].before = none;
      return;
    }
    const auto found = std::find_if(heap_.begin(), heap_.end(), [source](const Place & other) {
      return other.source == source;
    });
    if (found == heap_.end()) return;
    if (run.first == source) run.first = next;
    const auto place = static_cast<std::size_t>(found - heap_.begin());
    if (next != none) {
      sources_[next].before = none;
      *found = {sources_[next].at, next};
    } else {
      *found = heap_.back();
      heap_.pop_back();
      if (place == heap_.size()) return;
    }
    restore(place);
  }

  /// Makes the heap one again after another element was put into this place.
  void restore(std::size_t place) noexcept {
    const auto above = [](std::size_t at) { return (at - 1) / 2; };
    for (; place > 0 && follows(heap_[above(place)], heap_[place]); place = above(place)) {
      std::swap(heap_[above(place)], heap_[place]);
    }
    for (std::size_t below = 2 * place + 1; below < heap_.size(); below = 2 * place + 1) {
      if (below + 1 < heap_.size() && follows(heap_[below], heap_[below + 1])) ++below;
      if (!follows(heap_[place], heap_[below])) return;
      std::swap(heap_[place], heap_[below]);
      place = below;
    }
  }

  std::vector<Due> sources_;
  std::vector<Span> spans_;  // indexed by source: its members if there are several
  std::vector<TaskId> members_;
  std::vector<Run> runs_;
  std::unordered_map<Duration, std::uint32_t> run_of_period_;
  std::vector<Place> heap_;
};

}  // namespace takt::model
