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

/// Long enough for any machine; only a test that fails waits for it.
inline constexpr std::chrono::seconds patience{30};
inline constexpr model::Duration ms = 1'000'000;
/// Longer than any test.
inline constexpr model::Duration unbounded = 3'600'000 * ms;
/// A timer whose deadline is its period.
inline model::Task timer(std::string id, model::Duration period = ms) {
  return {.id = std::move(id), .period = period, .deadline = period};
}

/// Takes the right to real-time priorities from the calling thread and those it starts.
void drop_realtime_rights();
/// True if this process may use the priorities of the default plan.
bool realtime_available();

/// A value that threads wait for.
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
  /// False if it did not come to that in a long time.
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

/// What happened, in order.
class Journal {
 public:
  void note(std::string what);
  std::vector<std::string> read() const;
  /// Waits for a line with `part` in it; false if there is none in a long time.
  bool wait_for(const std::string & part) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable noted_;
  std::vector<std::string> lines_;
};

/// Spins without blocking until the flag is set; false if that takes too long.
bool busy_until(const std::atomic<bool> & flag);
/// Likewise until the condition holds.
bool busy_until(const std::function<bool()> & condition);
/// Uses up CPU time.
void burn(std::chrono::nanoseconds cpu);

/// Two CPUs that this process may use; where it may use one, the second cannot be granted.
std::vector<int> two_cpus();

/// A processor, or several, with functions for callbacks, which spin on a thread of their own.
/// stop() before anything goes that jobs use and that was declared after it.
class Rig {
 public:
  using Body = std::function<void(const JobInfo &)>;

  /// `rights` false: as a process without real-time rights. Memory is not locked.
  explicit Rig(Options options, bool rights = true, const std::vector<int> & cpus = {});
  /// Stops, rethrows nothing.
  ~Rig();

  Processors & processors() { return processors_; }
  Processor & processor() { return processors_[0]; }
  TaskId add(const model::Task & task, Body body, std::size_t processor = 0,
             GroupId group = GroupId::none);
  /// A task that release() releases; it has no deadline.
  TaskId add_event(const std::string & id, int priority, Body body, GroupId group = GroupId::none);
  /// A timer `n/a` of 1 ms that counts its jobs there. Once for each rig.
  Watched<int> & add_ticks();
  /// Spins on another thread.
  void start();
  /// Stops it and returns what spin() threw.
  std::exception_ptr stop();
  /// Waits until spin() returns by itself.
  std::exception_ptr join();
  /// Lines of the log so far.
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
