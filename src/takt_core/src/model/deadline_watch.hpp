// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/stable_array.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// The next deadline of each task that has one to be watched: a binary heap with the position of
/// every task, so that a deadline can be removed at once. Allocates only in make_room().
class DeadlineWatch {
 public:
  struct Entry {
    Time at;
    TaskId task;
  };

  /// Makes room for tasks with numbers below `tasks`; room in the heap is given by use(). May run
  /// concurrently with the use of existing tasks.
  void make_room(std::size_t tasks) { place_.make_room(tasks); }
  /// Takes an empty vector with a greater capacity; the old one is returned in it. O(deadlines).
  void use(std::vector<Entry> & room) noexcept {
    room.insert(room.end(), heap_.begin(), heap_.end());
    heap_.swap(room);
  }

  /// The earliest deadline; `never` if none is watched.
  Time next() const noexcept { return heap_.empty() ? never : heap_.front().at; }
  /// The task with the earliest deadline. To be called only if a deadline is watched.
  TaskId first() const noexcept { return heap_.front().task; }

  /// Sets the task's only watched deadline. O(log n).
  void set(TaskId task, Time at) noexcept {
    if (place_[task].number == none) {
      heap_.push_back({at, task});
      rise(heap_.size() - 1);
    } else {
      put(place_[task].number, {at, task});
    }
  }

  /// Removes the task's deadline, if any. O(log n).
  void erase(TaskId task) noexcept {
    const std::uint32_t place = place_[task].number;
    if (place == none) return;
    place_[task].number = none;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) put(place, last);
  }

 private:
  struct Place {
    std::uint32_t number = none;  ///< in the heap
  };

  static bool precedes(const Entry & a, const Entry & b) noexcept {
    return a.at != b.at ? a.at < b.at : a.task < b.task;
  }

  void put(std::size_t place, Entry entry) noexcept {
    heap_[place] = entry;
    place_[entry.task].number = static_cast<std::uint32_t>(place);
    if (place > 0 && precedes(entry, heap_[(place - 1) / 2])) {
      rise(place);
    } else {
      sink(place);
    }
  }

  void rise(std::size_t place) noexcept {
    const Entry entry = heap_[place];
    while (place > 0 && precedes(entry, heap_[(place - 1) / 2])) {
      move(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
    settle(place, entry);
  }

  void sink(std::size_t place) noexcept {
    const Entry entry = heap_[place];
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && precedes(heap_[child + 1], heap_[child])) ++child;
      if (!precedes(heap_[child], entry)) break;
      move(place, child);
      place = child;
    }
    settle(place, entry);
  }

  void move(std::size_t to, std::size_t from) noexcept { settle(to, heap_[from]); }

  void settle(std::size_t place, Entry entry) noexcept {
    heap_[place] = entry;
    place_[entry.task].number = static_cast<std::uint32_t>(place);
  }

  std::vector<Entry> heap_;
  StableArray<Place, 1024> place_;  // indexed by task
};

}  // namespace takt::model
