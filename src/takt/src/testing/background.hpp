// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "takt/context.hpp"
#include "takt/node.hpp"
#include "takt/scheduling_executor.hpp"
#include "takt/stock_executor.hpp"

namespace takt::testing {

/// Long enough for any machine; only a failing test waits that long.
inline constexpr std::chrono::seconds patience{30};

/// Polls a condition whose changes nobody announces. Returns false if it is still false after
/// `patience`.
inline bool eventually(const std::function<bool()> & condition) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    never.wait_for(lock, std::chrono::milliseconds(2));
  }
  return true;
}

/// Returns an initialised context that discovers only processes on this machine.
inline std::shared_ptr<Context> make_context(const std::vector<const char *> & arguments = {}) {
  setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  auto context = std::make_shared<Context>();
  context->init(static_cast<int>(arguments.size()), arguments.data(), {.handle_signals = false});
  return context;
}

template <typename Executor>
auto executor_options(const std::shared_ptr<Context> & context) {
  if constexpr (std::is_same_v<Executor, StockExecutor>) {
    return StockExecutorOptions{.context = context};
  } else {
    return SchedulingExecutorOptions{
        .lock_memory = false, .diagnostics = {.enabled = false}, .context = context};
  }
}

/// An executor that spins on a thread of its own until it is destroyed.
template <typename Executor>
class Background {
 public:
  explicit Background(const std::shared_ptr<Context> & context)
      : executor_(executor_options<Executor>(context)) {}
  ~Background() { stop(); }
  Background(const Background &) = delete;
  Background & operator=(const Background &) = delete;

  Executor & executor() { return executor_; }
  void add(const std::shared_ptr<Node> & node) { executor_.add_node(node); }
  void start() {
    thread_ = std::thread([this] { executor_.spin(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    executor_.cancel();
    thread_.join();
  }

 private:
  Executor executor_;
  std::thread thread_;
};

/// For typed tests that run with both executors.
using Executors = ::testing::Types<SchedulingExecutor, StockExecutor>;

}  // namespace takt::testing
