// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/queued_callback.hpp"

#include "takt/exceptions.hpp"

namespace takt {

void QueuedCallback::execute(const JobInfo &) {
  if (listening_.load(std::memory_order_relaxed)) {
    std::size_t waiting = waiting_.load(std::memory_order_acquire);
    while (waiting > 0 && !waiting_.compare_exchange_weak(waiting, waiting - 1)) {
    }
    if (waiting == 0) return;
  }
  take();
}

void QueuedCallback::listen(bool on) {
  const auto arrived = [](const void * user_data, std::size_t count) {
    auto & self = *static_cast<QueuedCallback *>(const_cast<void *>(user_data));
    self.waiting_.fetch_add(count, std::memory_order_release);
    self.released(count);
  };
  listening_.store(on, std::memory_order_relaxed);
  const rcl_ret_t code = set_on_new(on ? +arrived : nullptr, on ? this : nullptr);
  if (on) {
    detail::check(code, "cannot listen to '" + id() + "'");
  } else if (code != RCL_RET_OK) {
    detail::take_rcl_error();
  }
}

std::size_t QueuedCallback::waiting() const noexcept {
  return waiting_.load(std::memory_order_acquire);
}

void QueuedCallback::detach() {
  Callback::detach();
  listen(false);
}

}  // namespace takt
