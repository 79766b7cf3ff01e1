// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "hook.hpp"

#include <deque>
#include <mutex>
#include <vector>

namespace takt::rclcpp {
namespace {

struct Pool {
  std::mutex mutex;
  std::deque<Hook> all;
  std::vector<Hook *> free;
};

Pool & pool() {
  // Never destroyed: the middleware's threads may outlive what is.
  static auto & pool = *new Pool;
  return pool;
}

}  // namespace

Hook & Hook::get() {
  Pool & from = pool();
  const std::lock_guard lock(from.mutex);
  if (from.free.empty()) {
    from.free.reserve(from.all.size() + 1);  // giving back needs no memory
    return from.all.emplace_back();
  }
  Hook & hook = *from.free.back();
  from.free.pop_back();
  return hook;
}

void Hook::give_back() noexcept {
  set(nullptr, nullptr);
  Pool & to = pool();
  const std::lock_guard lock(to.mutex);
  to.free.push_back(this);
}

void Hook::set(Arrived arrived, void * context) noexcept {
  const std::lock_guard lock(mutex_);
  arrived_ = arrived;
  context_ = context;
}

void Hook::call(const void * hook, std::size_t count) noexcept {
  auto & self = *static_cast<Hook *>(const_cast<void *>(hook));
  const std::lock_guard lock(self.mutex_);
  if (self.arrived_ != nullptr) self.arrived_(self.context_, count);
}

}  // namespace takt::rclcpp
