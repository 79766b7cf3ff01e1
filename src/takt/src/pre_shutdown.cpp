// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "pre_shutdown.hpp"

#include <exception>
#include <system_error>
#include <utility>

#include "takt/logging.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::detail {
namespace {

void call_and_tell(const std::function<void()> & function) noexcept {
  const char * const failed = "a function of on_pre_shutdown() failed: %s";
  try {
    function();
  } catch (const std::exception & error) {
    TAKT_ERROR(get_logger("takt"), failed, error.what());
  } catch (...) {
    TAKT_ERROR(get_logger("takt"), failed, "an exception of a type unknown here");
  }
}

}  // namespace

std::uint64_t PreShutdown::add(std::function<void()> function) {
  const os::Lock lock(mutex_);
  if (begun_) return 0;
  functions_.emplace(next_, std::move(function));
  return next_++;
}

void PreShutdown::remove(std::uint64_t handle) {
  std::map<std::uint64_t, std::function<void()>>::node_type gone;  // destroyed without the lock
  os::UniqueLock lock(mutex_);
  gone = functions_.extract(handle);
  if (is_calling_thread()) return;
  changed_.wait(lock, [&]() TAKT_REQUIRES(mutex_) { return over_ || calling_ != handle; });
}

bool PreShutdown::empty() const {
  const os::Lock lock(mutex_);
  return functions_.empty();
}

bool PreShutdown::is_calling_thread() const noexcept {
  return thread_id_.load() == os::thread_id();
}

bool PreShutdown::call(std::chrono::nanoseconds limit) {
  {
    const os::Lock lock(mutex_);
    if (std::exchange(begun_, true) || functions_.empty()) return true;
  }
  try {
    // The thread shares ownership of this object, because it may run longer than the caller waits.
    thread_ =
        os::Thread({.name = "takt.ending"}, [self = shared_from_this()] { self->call_each(); });
  } catch (const std::system_error &) {
    call_each();  // no thread could be created: called here, without a limit
  }
  std::map<std::uint64_t, std::function<void()>> left;  // destroyed without the lock
  os::UniqueLock lock(mutex_);
  const bool in_time =
      changed_.wait_for(lock, limit, [this]() TAKT_REQUIRES(mutex_) { return over_; });
  over_ = true;
  left.swap(functions_);
  changed_.notify_all();
  return in_time;
}

void PreShutdown::call_each() {
  thread_id_ = os::thread_id();
  for (;;) {
    std::function<void()> function;
    {
      const os::Lock lock(mutex_);
      const auto first = functions_.begin();
      calling_ = 0;
      if (first == functions_.end() || over_) break;
      calling_ = first->first;
      function = std::move(first->second);
      functions_.erase(first);
    }
    call_and_tell(function);
    function = nullptr;
    const os::Lock lock(mutex_);
    calling_ = 0;
    changed_.notify_all();
  }
  thread_id_ = 0;
  const os::Lock lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

}  // namespace takt::detail
