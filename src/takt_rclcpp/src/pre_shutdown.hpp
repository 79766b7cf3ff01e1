// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/os/condition.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::rclcpp {

/// Controls the executors of a context while the pre-shutdown callbacks of the context are called: only
/// jobs that receive responses of services start, and when the time limit has passed, spin() ends. It is
/// a pre-shutdown callback itself, and so acts before callbacks that were added after the context's first
/// executor was created. Thread-safe.
class PreShutdown {
 public:
  /// The interface of an executor. Called with a mutex held, by any thread; must not throw.
  class Executor {
   public:
    virtual ~Executor() = default;
    /// Makes the executor start only jobs that receive responses. Called repeatedly; returns whether no
    /// job is started.
    virtual bool quiesce() noexcept = 0;
    /// Ends spin() without waiting for the callbacks any longer; `why` is to be logged.
    virtual void give_up(const std::string & why) noexcept = 0;
    /// The time limit of the pre-shutdown callbacks.
    virtual std::chrono::nanoseconds limit() const noexcept = 0;
  };

  /// Returns the object of a context. Throws nothing but std::bad_alloc.
  static std::shared_ptr<PreShutdown> of(::rclcpp::Context & context);
  PreShutdown() = default;
  ~PreShutdown();
  PreShutdown(const PreShutdown &) = delete;
  PreShutdown & operator=(const PreShutdown &) = delete;

  /// Adds an executor. If the callbacks are being called already, it is made quiescent at once.
  void add(Executor & executor);
  /// Removes an executor. After the return it is not being called.
  void remove(Executor & executor);
  /// Returns whether the pre-shutdown callbacks are being called.
  bool called() const noexcept { return called_.load(); }

 private:
  void begin();
  /// Called with the context's own lock held. Executors take that lock, so this calls none of them.
  void end();
  bool quiesce();
  void watch(std::chrono::nanoseconds limit);

  os::Mutex executors_mutex_{os::LockRank::pre_shutdown};
  std::vector<Executor *> executors_ TAKT_GUARDED_BY(executors_mutex_);
  os::Mutex mutex_{os::LockRank::pre_shutdown_ends};
  os::Condition ended_;
  std::atomic<bool> called_ = false;  // changed under the lock
  // Belongs to the thread that shuts down. Has ended, or is about to, when called_ is false.
  os::Thread watch_;
};

}  // namespace takt::rclcpp
