// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "notice_handler.hpp"

#include <utility>

#include "takt_core/os/lock.hpp"

namespace takt::executor {

NoticeHandler::NoticeHandler(std::function<TaskTable::Name(TaskId)> name,
                             std::function<void()> failed)
    : name_(std::move(name)), failed_(std::move(failed)) {}

void NoticeHandler::set(Handlers handlers) {
  const std::uint32_t misses = handlers.on_miss ? 1U : 0U;
  const std::uint32_t overruns = handlers.on_overrun ? 1U << 1U : 0U;
  const std::uint32_t budgets = handlers.on_exhausted ? 1U << 2U : 0U;
  auto given = std::make_shared<const Handlers>(std::move(handlers));
  // The old handlers are destroyed after the lock is released.
  const os::Lock lock(mutex_);
  wanted_.store(misses | overruns | budgets, std::memory_order_relaxed);
  std::swap(handlers_, given);
}

bool NoticeHandler::put(const Notices & notice) noexcept {
  const std::uint32_t written = written_.load(std::memory_order_relaxed);
  if (written - read_.load(std::memory_order_acquire) == capacity) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  ring_[written % capacity] = notice;
  written_.store(written + 1, std::memory_order_release);
  return true;
}

void NoticeHandler::run() {
  for (;;) {
    const bool last = stopping_.load(std::memory_order_acquire);
    const State state = state_.load(std::memory_order_acquire);
    std::uint32_t read = read_.load(std::memory_order_relaxed);
    while (state != State::rests && read != written_.load(std::memory_order_acquire)) {
      const Notices notice = ring_[read % capacity];
      read_.store(++read, std::memory_order_release);
      handle(notice);
    }
    if (state == State::is_to_rest) {
      state_.store(State::rests, std::memory_order_release);
      rests_.post();
    }
    if (last) break;
    event_.wait();
  }
  stopping_.store(false, std::memory_order_relaxed);
}

void NoticeHandler::handle(const Notices & notice) {
  std::shared_ptr<const Handlers> handlers;
  {
    const os::Lock lock(mutex_);
    handlers = handlers_;
  }
  const auto call = [this](const auto & function, const auto & what) {
    if (!function) return;
    const TaskTable::Name name = name_(what.job.task);
    try {
      function(what, *name);
    } catch (...) {
      failed_();
    }
  };
  switch (notice.index()) {
    case 0:
      return call(handlers->on_miss, std::get<0>(notice));
    case 1:
      return call(handlers->on_overrun, std::get<1>(notice));
    default:
      return call(handlers->on_exhausted, std::get<2>(notice));
  }
}

void NoticeHandler::rest() noexcept {
  state_.store(State::is_to_rest, std::memory_order_release);
  event_.post();
  rests_.wait();
}

void NoticeHandler::resume() noexcept {
  state_.store(State::handles, std::memory_order_release);
  event_.post();
}

void NoticeHandler::stop() noexcept {
  stopping_.store(true, std::memory_order_release);
  event_.post();
}

}  // namespace takt::executor
