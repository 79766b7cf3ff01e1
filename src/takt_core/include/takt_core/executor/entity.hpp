// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/executor/ids.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// A publisher, subscription, service or client of the middleware, as a resource that threads
/// share. One thread at a time uses it, inside a Processor::Section, and inherits the priority of
/// the threads that wait for it. The middleware has a lock of its own for the entity, but that does
/// not inherit priority; because threads wait here instead, none waits for that lock.
class Entity {
 public:
  /// `name`: the topic or service, for messages and traces. Allocates.
  explicit Entity(std::string name) : name_(std::make_shared<const std::string>(std::move(name))) {}
  Entity(const Entity &) = delete;
  Entity & operator=(const Entity &) = delete;

  /// The topic or service; valid as long as the returned pointer is held.
  const std::shared_ptr<const std::string> & name() const noexcept { return name_; }

  // ---- for Section only; from any thread that does not use the entity already. One function
  // acquires the lock, another releases it, which clang's analysis cannot follow.

  /// Acquires the entity unless another thread uses it: false then. Does not block.
  bool try_use() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS { return mutex_.try_lock(); }
  /// Acquires the entity. Blocks while another thread uses it; that thread inherits the caller's
  /// priority.
  void use() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  /// Releases the entity. Only by the thread that uses it; does not block.
  void leave() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
    user_.store(TaskId::none, std::memory_order_relaxed);
    mutex_.unlock();
  }
  /// The task whose job uses the entity; TaskId::none if nobody does, or a thread that runs no job.
  TaskId user() const noexcept { return user_.load(std::memory_order_relaxed); }
  /// Sets the task whose job uses the entity. Only by the thread that uses it.
  void set_user(TaskId task) noexcept { user_.store(task, std::memory_order_relaxed); }

 private:
  const std::shared_ptr<const std::string> name_;
  os::PiMutex mutex_{os::LockRank::entity};
  std::atomic<TaskId> user_{TaskId::none};
};

}  // namespace takt::executor
