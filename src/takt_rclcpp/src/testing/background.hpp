// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp::testing {

/// Long enough for any machine; only a failing test waits that long.
inline constexpr std::chrono::seconds patience{30};

/// A value that threads wait for.
template <typename T>
class Watched {
 public:
  explicit Watched(T value = {}) : value_(value) {}
  void set(T value) {
    {
      const std::lock_guard lock(mutex_);
      value_ = std::move(value);
    }
    changed_.notify_all();
  }
  void add(T amount) {
    {
      const std::lock_guard lock(mutex_);
      value_ += amount;
    }
    changed_.notify_all();
  }
  T get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  /// Waits until it is at least `value`, for at most `patience`; returns whether it is.
  bool wait_for_at_least(T value) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return value_ >= value; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  T value_;
};

/// Polls a condition whose changes nobody announces. Returns false if it is still false after
/// `patience`.
inline bool eventually(const std::function<bool()> & condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Keeps the calling thread busy for this time.
inline void busy_for(std::chrono::nanoseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// A context of its own, nodes in it, and an executor that spins on another thread. A test must
/// stop it before the variables that its callbacks use are destroyed.
class ExecutorTest : public ::testing::Test {
 protected:
  ExecutorTest() {
    setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    context_->init(0, nullptr);
    make_executor({});
  }
  ~ExecutorTest() override {
    stop();
    executor_.reset();
    context_->shutdown("the test has ended");
  }

  void make_executor(const SchedulingOptions & options) { executor_ = one_more(options); }
  /// Returns another executor in the same context. It has a live view only if `options` names its
  /// node.
  std::shared_ptr<SchedulingExecutor> one_more(SchedulingOptions options = {}) {
    options.lock_memory = false;
    options.diagnostics.enabled = options.diagnostics.enabled && !options.diagnostics.node.empty();
    options.log = [this](const std::string & line) {
      const std::lock_guard lock(log_mutex_);
      log_.push_back(line);
    };
    ::rclcpp::ExecutorOptions of_rclcpp;
    of_rclcpp.context = context_;
    return std::make_shared<SchedulingExecutor>(of_rclcpp, options);
  }
  ::rclcpp::Node::SharedPtr make_node(const std::string & name,
                                      ::rclcpp::NodeOptions options = ::rclcpp::NodeOptions()) {
    // Without /rosout: rcl has one publisher for all nodes of a name in a process, and leaks it
    // when such nodes are created and destroyed.
    return std::make_shared<::rclcpp::Node>(name, options.context(context_).enable_rosout(false));
  }
  void start() {
    thread_ = std::thread([this] { executor_->spin(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    executor_->cancel();
    thread_.join();
  }
  std::vector<std::string> log() const {
    const std::lock_guard lock(log_mutex_);
    return log_;
  }
  std::vector<std::string> tasks() const {
    std::vector<std::string> names;
    for (const auto & [number, name] : executor_->tasks()) names.push_back(name);
    return names;
  }
  bool has(const std::string & name) const {
    const auto names = tasks();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  mutable std::mutex log_mutex_;
  std::vector<std::string> log_;
  ::rclcpp::Context::SharedPtr context_ = std::make_shared<::rclcpp::Context>();
  std::shared_ptr<SchedulingExecutor> executor_;
  std::thread thread_;
};

}  // namespace takt::rclcpp::testing
