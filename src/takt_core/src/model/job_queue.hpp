// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The unfinished jobs of one task, in order of release: a ring in storage that it does not own.
class JobQueue {
 public:
  JobQueue() = default;
  JobQueue(Job * slots, std::uint32_t capacity) noexcept : slots_(slots), capacity_(capacity) {}

  std::uint32_t size() const noexcept { return size_; }
  std::uint32_t capacity() const noexcept { return capacity_; }
  bool empty() const noexcept { return size_ == 0; }
  /// Whether `slots` is its storage.
  bool lies_at(const Job * slots) const noexcept { return slots_ == slots; }
  bool full() const noexcept { return size_ == capacity_; }

  Job & operator[](std::uint32_t i) noexcept { return slots_[slot(i)]; }
  const Job & operator[](std::uint32_t i) const noexcept { return slots_[slot(i)]; }
  Job & front() noexcept { return slots_[first_]; }

  /// Adds a job and returns its place, with the contents of an earlier job. Not when full.
  Job & push() noexcept { return slots_[slot(size_++)]; }
  Job & push(const Job & job) noexcept { return push() = job; }
  /// Sets the urgency of all places.
  void set_urgency(Urgency urgency) noexcept {
    for (std::uint32_t i = 0; i < capacity_; ++i) slots_[i].urgency = urgency;
  }
  /// Keeps the first `size` jobs only; `size` must not exceed their number.
  void shrink(std::uint32_t size) noexcept { size_ = size; }
  /// Removes the first job. Not when empty.
  void pop() noexcept {
    first_ = slot(1);
    --size_;
  }

 private:
  std::uint32_t slot(std::uint32_t i) const noexcept {
    const std::uint32_t at = first_ + i;
    return at < capacity_ ? at : at - capacity_;
  }

  Job * slots_ = nullptr;
  std::uint32_t capacity_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace takt::model
