// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "miss_handler.hpp"

#include <utility>

namespace takt::executor {

MissHandler::MissHandler(std::function<void(const model::Miss &)> handle)
    : handle_(std::move(handle)) {}

void MissHandler::put(const model::Miss & miss) noexcept {
  const std::uint32_t written = written_.load(std::memory_order_relaxed);
  if (written - read_.load(std::memory_order_acquire) == capacity) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  ring_[written % capacity] = miss;
  written_.store(written + 1, std::memory_order_release);
}

void MissHandler::run() {
  for (;;) {
    const bool last = stopping_.load(std::memory_order_acquire);
    std::uint32_t read = read_.load(std::memory_order_relaxed);
    while (read != written_.load(std::memory_order_acquire)) {
      const model::Miss miss = ring_[read % capacity];
      read_.store(++read, std::memory_order_release);
      handle_(miss);
    }
    if (last) break;
    event_.wait();
  }
  stopping_.store(false, std::memory_order_relaxed);
}

void MissHandler::stop() noexcept {
  stopping_.store(true, std::memory_order_release);
  event_.post();
}

}  // namespace takt::executor
