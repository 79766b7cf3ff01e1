// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "takt_core/os/condition.hpp"

namespace takt::rclcpp {

/// The state of an executor: it schedules, is ending that, its tasks are being updated by look(), or it is
/// idle. May exist longer than the executor, as long as spin() needs it. Thread-safe. Functions passed to
/// it are called with its mutex held, except by look().
class SpinState {
 public:
  /// Called by a thread that is about to spin. `spinning` is rclcpp's own flag, which rclcpp's ways to spin
  /// set, too. Waits for the end of look() and of a spin() that is ending. Returns false if the executor
  /// spins already.
  bool begin(std::atomic_bool & spinning) {
    os::UniqueLock lock(mutex_);
    changed_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return settled(); });
    if (state_ == State::spins || spinning.exchange(true)) return false;
    state_ = State::spins;
    return true;
  }
  /// Called by that thread when only the clean-up is left, which does not wait for other threads. look()
  /// waits for end() from now on.
  void begin_to_end() {
    const os::Lock lock(mutex_);
    state_ = State::ends;
  }
  /// Called by that thread at the end of spin(). Calls `last`, after which it does not use the executor.
  template <typename LastT>
  void end(const LastT & last) {
    const os::Lock lock(mutex_);
    last();
    state_ = State::idle;
    changed_.notify_all();
  }

  /// Calls `function` if the executor spins. Returns whether it does.
  template <typename FunctionT>
  bool if_spinning(const FunctionT & function) {
    const os::Lock lock(mutex_);
    if (state_ != State::spins) return false;
    function();
    return true;
  }

  /// Returns whether the executor spins or is ending that.
  bool busy() {
    const os::Lock lock(mutex_);
    return state_ == State::spins || state_ == State::ends;
  }

  /// Calls `function` unless the executor spins, by rclcpp's own ways or by spin(); none can begin
  /// meanwhile. Waits for a spin() that is ending. Returns whether it called the function.
  template <typename FunctionT>
  bool look(const std::atomic_bool & spinning, const FunctionT & function) {
    {
      os::UniqueLock lock(mutex_);
      changed_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return settled(); });
      if (state_ == State::spins || spinning.load()) return false;
      state_ = State::looked_at;
    }
    struct End {
      SpinState & self;
      ~End() {
        const os::Lock lock(self.mutex_);
        self.state_ = State::idle;
        self.changed_.notify_all();
      }
    } const end{*this};
    function();
    return true;
  }

  void wait_until_idle() {
    os::UniqueLock lock(mutex_);
    changed_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return state_ == State::idle; });
  }

 private:
  enum class State { idle, looked_at, spins, ends };

  bool settled() const TAKT_REQUIRES(mutex_) {
    return state_ == State::idle || state_ == State::spins;
  }

  os::Mutex mutex_{os::LockRank::spin_state};
  os::Condition changed_;
  State state_ TAKT_GUARDED_BY(mutex_) = State::idle;
};

}  // namespace takt::rclcpp
