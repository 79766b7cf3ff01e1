// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "job_queue.hpp"

namespace takt::model {

/// The places of several queues of jobs, one behind the other.
class SlotArea {
 public:
  struct Wanted {
    JobQueue * queue;
    std::uint32_t capacity;
  };

  /// Gives every queue its places, in this order, and keeps its jobs; one without any gets new ones.
  /// What has its places already and keeps them does not move. Allocates; O(n).
  void lay(std::span<const Wanted> queues) {
    std::size_t total = 0;
    for (const Wanted & wanted : queues) total += wanted.capacity;
    if (fits(queues, total)) return append(queues);
    // Twice as many, so that many queues that come one after the other are not moved each time.
    std::vector<Job> next(total > slots_.size() ? std::max(total, 2 * slots_.size()) : total);
    Job * place = next.data();
    for (const Wanted & wanted : queues) {
      JobQueue jobs(place, wanted.capacity);
      for (std::uint32_t i = 0; i < wanted.queue->size(); ++i) jobs.push((*wanted.queue)[i]);
      *wanted.queue = jobs;
      place += wanted.capacity;
    }
    slots_ = std::move(next);
  }

 private:
  /// Whether all that have places have them where they would get them, and there is room for others.
  bool fits(std::span<const Wanted> queues, std::size_t total) const noexcept {
    if (total > slots_.size()) return false;
    const Job * place = slots_.data();
    for (const auto & [queue, capacity] : queues) {
      if (queue->capacity() != 0 && !queue->lies_at(place, capacity)) return false;
      place += capacity;
    }
    return true;
  }
  void append(std::span<const Wanted> queues) noexcept {
    Job * place = slots_.data();
    for (const auto & [queue, capacity] : queues) {
      if (queue->capacity() == 0) {
        std::fill_n(place, capacity, Job{});
        *queue = JobQueue(place, capacity);
      }
      place += capacity;
    }
  }

  std::vector<Job> slots_;
};

}  // namespace takt::model
