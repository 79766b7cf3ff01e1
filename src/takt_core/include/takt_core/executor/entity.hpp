// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/executor/ids.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// A publisher, subscription, service or client of the middleware, as something that threads share:
/// one uses it at a time, inside a Processor::Section, and inherits the priority of those that wait.
/// So nobody waits for the middleware's own lock of it, whose holder does not.
class Entity {
 public:
  /// `name`: for people, its topic or service. Allocates.
  explicit Entity(std::string name) : name_(std::make_shared<const std::string>(std::move(name))) {}
  Entity(const Entity &) = delete;
  Entity & operator=(const Entity &) = delete;

  const std::shared_ptr<const std::string> & name() const noexcept { return name_; }

  // ---- for sections; any thread that does not use it already. One function takes the lock, another
  // gives it back.

  /// False if another thread uses it.
  bool try_use() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS { return mutex_.try_lock(); }
  /// Blocks while another thread uses it.
  void use() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  void leave() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    user_.store(TaskId::none, std::memory_order_relaxed);
    mutex_.unlock();
  }
  /// The task whose job uses it; `none`: nobody, or a thread that runs no job.
  TaskId user() const noexcept { return user_.load(std::memory_order_relaxed); }
  void set_user(TaskId task) noexcept { user_.store(task, std::memory_order_relaxed); }

 private:
  const std::shared_ptr<const std::string> name_;
  os::PiMutex mutex_{os::LockRank::entity};
  std::atomic<TaskId> user_{TaskId::none};
};

}  // namespace takt::executor
