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

/// Of a context, what its executors do while its pre-shutdown callbacks are called: no job starts but
/// answers to clients, and who is not done in time is not waited for. It comes before callbacks that
/// were added after the context's first executor was made. Thread-safe.
class PreShutdown {
 public:
  /// An executor. Called under a lock, by any thread; must not throw.
  class Executor {
   public:
    virtual ~Executor() = default;
    /// From now on no job starts but answers. Again and again: whether none is started.
    virtual bool quiesce() noexcept = 0;
    /// Callbacks are not waited for any longer: ends spin().
    virtual void give_up(const std::string & why) noexcept = 0;
    virtual std::chrono::nanoseconds limit() const noexcept = 0;
  };

  /// The one of the context. Throws nothing but std::bad_alloc.
  static std::shared_ptr<PreShutdown> of(::rclcpp::Context & context);
  PreShutdown() = default;
  ~PreShutdown();
  PreShutdown(const PreShutdown &) = delete;
  PreShutdown & operator=(const PreShutdown &) = delete;

  /// Where the callbacks have begun it is told at once.
  void add(Executor & executor);
  /// On return it is not being called.
  void remove(Executor & executor);
  /// Whether the callbacks are being called.
  bool called() const noexcept { return called_.load(); }

 private:
  void begin();
  /// Called with the context's own lock held, which executors take: it calls none of them.
  void end();
  bool quiesce();
  void watch(std::chrono::nanoseconds limit);

  os::Mutex executors_mutex_{os::LockRank::pre_shutdown};
  std::vector<Executor *> executors_ TAKT_GUARDED_BY(executors_mutex_);
  os::Mutex mutex_{os::LockRank::pre_shutdown_ends};
  os::Condition ended_;
  std::atomic<bool> called_ = false;  // changed under the lock
  os::Thread watch_;  // of who shuts down; has ended, or is about to, when called_ is false
};

}  // namespace takt::rclcpp
