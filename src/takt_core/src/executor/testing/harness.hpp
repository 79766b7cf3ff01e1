// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "takt_core/executor/processors.hpp"

namespace takt::executor::testing {

/// A timeout that is long enough for any machine; only a failing test waits for it.
inline constexpr std::chrono::seconds patience{30};
inline constexpr model::Duration ms = 1'000'000;
/// A length of time that exceeds every test.
inline constexpr model::Duration unbounded = 3'600'000 * ms;
/// A timer whose deadline is its period.
inline model::Task timer(std::string id, model::Duration period = ms) {
  return {.id = std::move(id), .period = period, .deadline = period};
}

/// Drops the right to real-time priorities for the calling thread and those that it starts.
void drop_realtime_rights();
/// Whether this process may use the priorities of the default plan.
bool realtime_available();

/// A value whose changes threads can wait for.
template <typename T>
class Watched {
 public:
  explicit Watched(T value = {}) : value_(value) {}
  void set(T value) {
    change([&](T & old) { old = value; });
  }
  void add(T amount) {
    change([&](T & old) { old += amount; });
  }
  T get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  /// Waits for the condition; false after `patience`.
  bool wait_until(const std::function<bool(const T &)> & condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return condition(value_); });
  }
  bool wait_for(T value) {
    return wait_until([&](const T & current) { return current == value; });
  }
  bool wait_for_at_least(T value) {
    return wait_until([&](const T & current) { return current >= value; });
  }

 private:
  template <typename F>
  void change(F && f) {
    const std::lock_guard lock(mutex_);
    f(value_);
    changed_.notify_all();
  }
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  T value_;
};

/// A thread-safe list of what happened, in order.
class Journal {
 public:
  void note(std::string what);
  std::vector<std::string> read() const;
  /// Waits for a line that contains `part`; false after `patience`.
  bool wait_for(const std::string & part) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable noted_;
  std::vector<std::string> lines_;
};

/// Busy-waits until the flag is set; false if that takes too long.
bool busy_until(const std::atomic<bool> & flag);
/// Busy-waits until the condition is true; false if that takes too long.
bool busy_until(const std::function<bool()> & condition);
/// Uses CPU time.
void burn(std::chrono::nanoseconds cpu);

/// Two CPUs; if this process may use only one, the second one cannot be granted.
std::vector<int> two_cpus();

/// One or several processors that spin on a thread of their own, with functions as callbacks. Call
/// stop() before destroying objects that jobs use and that were declared after the rig.
class Rig {
 public:
  using Body = std::function<void(const JobInfo &)>;

  /// `rights` false: as in a process without real-time rights. Memory is not locked.
  explicit Rig(Options options, bool rights = true, const std::vector<int> & cpus = {});
  /// Stops; rethrows nothing.
  ~Rig();

  Processors & processors() { return processors_; }
  Processor & processor() { return processors_[0]; }
  TaskId add(const model::Task & task, Body body, std::size_t processor = 0,
             GroupId group = GroupId::none);
  /// Adds a task without a deadline that release() releases.
  TaskId add_event(const std::string & id, int priority, Body body, GroupId group = GroupId::none);
  /// Adds a 1 ms timer `n/a` that counts its jobs in the returned value. Once per rig.
  Watched<int> & add_ticks();
  /// Spins on another thread.
  void start();
  /// Stops spinning and returns what spin() threw.
  std::exception_ptr stop();
  /// Waits until spin() returns by itself, and returns what it threw.
  std::exception_ptr join();
  /// The lines logged so far.
  Journal & log() { return *log_; }

 private:
  std::shared_ptr<Journal> log_ = std::make_shared<Journal>();
  bool rights_;
  std::mutex mutex_;
  std::list<Body> bodies_;
  Watched<int> ticks_;
  Processors processors_;
  std::thread thread_;
  std::exception_ptr thrown_;
};

}  // namespace takt::executor::testing
