// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "takt_core/os/condition.hpp"

namespace takt::rclcpp {

/// Whether an executor schedules, is about to end that, is looked at, or none of these. Lives as long as whoever spins needs it,
/// which may be longer than the executor. Thread-safe; functions given to it are called under its
/// lock but for those of look().
class SpinState {
 public:
  /// Of a thread that is about to spin. `spinning` is rclcpp's own flag, which its own ways to spin
  /// set, too. Waits for who looks, and for the end of one that ends. False if one spins already.
  bool begin(std::atomic_bool & spinning) {
    os::UniqueLock lock(mutex_);
    changed_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return settled(); });
    if (state_ == State::spins || spinning.exchange(true)) return false;
    state_ = State::spins;
    return true;
  }
  /// Of that thread, when nothing of what spins is left but to tidy up, which waits for nobody: who
  /// looks waits for end().
  void begin_to_end() {
    const os::Lock lock(mutex_);
    state_ = State::ends;
  }
  /// Of that thread, when it spins no more: `last` and then nothing that is the executor's.
  template <typename LastT>
  void end(const LastT & last) {
    const os::Lock lock(mutex_);
    last();
    state_ = State::idle;
    changed_.notify_all();
  }

  /// Calls `function` if it spins. Returns whether it does.
  template <typename FunctionT>
  bool if_spinning(const FunctionT & function) {
    const os::Lock lock(mutex_);
    if (state_ != State::spins) return false;
    function();
    return true;
  }

  /// Whether it spins, or has not ended that yet.
  bool busy() {
    const os::Lock lock(mutex_);
    return state_ == State::spins || state_ == State::ends;
  }

  /// Calls `function` unless it spins, by rclcpp's own ways too; nobody begins meanwhile. Waits for the
  /// end of one that ends. Returns whether it did.
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
