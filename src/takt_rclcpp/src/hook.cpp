// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "hook.hpp"

#include <deque>
#include <vector>

#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {
namespace {

struct Pool {
  os::Mutex mutex{os::LockRank::hook_pool};
  std::deque<Hook> all TAKT_GUARDED_BY(mutex);
  std::vector<Hook *> free TAKT_GUARDED_BY(mutex);
};

Pool & pool() {
  // Never destroyed, because the middleware's threads may outlive static objects.
  static auto & pool = *new Pool;
  return pool;
}

}  // namespace

Hook & Hook::get() {
  Pool & from = pool();
  const os::Lock lock(from.mutex);
  if (from.free.empty()) {
    from.free.reserve(from.all.size() + 1);  // so that give_back() need not allocate
    return from.all.emplace_back();
  }
  Hook & hook = *from.free.back();
  from.free.pop_back();
  return hook;
}

void Hook::give_back() noexcept {
  set(nullptr, nullptr);
  Pool & to = pool();
  const os::Lock lock(to.mutex);
  to.free.push_back(this);
}

void Hook::set(Arrived arrived, void * context) noexcept {
  const os::Lock lock(mutex_);
  arrived_ = arrived;
  context_ = context;
}

void Hook::call(const void * hook, std::size_t count) noexcept {
  auto & self = *static_cast<Hook *>(const_cast<void *>(hook));
  const os::Lock lock(self.mutex_);
  if (self.arrived_ != nullptr) self.arrived_(self.context_, count);
}

}  // namespace takt::rclcpp
