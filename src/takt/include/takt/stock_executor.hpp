// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt/context.hpp"
#include "takt/job.hpp"
#include "takt/node.hpp"

namespace takt {

namespace detail {
struct SpinUntil;
}  // namespace detail

/// Options of a StockExecutor. They are read once, by its constructor.
struct StockExecutorOptions {
  /// The context whose shutdown ends spin(). Default (nullptr): the default context.
  std::shared_ptr<Context> context = nullptr;
  /// Whether to measure, for JobInfo::decision, how long choosing the next callback from the ready ones
  /// takes. Waiting and building the wait set are not included.
  bool time_decisions = false;
};

/// The baseline for measurements: an executor that works as rclcpp's single-threaded executor did in
/// ROS 2 Foxy (2021), at about the same cost. In each round it collects all entities of its nodes in a
/// wait set, waits, and executes the callbacks that are ready in this snapshot: timers in the order of
/// their creation, then subscriptions, services, clients and events, one message or request each. It
/// knows no priorities and no deadlines, and does not deliver inputs before a timer that reads them.
/// current_job() works in its callbacks; the index and the release of a timer's job are derived from
/// rcl's expected call time.
///
/// Thread-safe. Set-up and spinning allocate; no time bounds are guaranteed.
///
/// There are two differences from Foxy. Messages from inside the process are handled together with the
/// subscriptions; Foxy's waitables came after the clients. And timers can be given a common start.
class StockExecutor {
 public:
  /// Throws RclError, and Error if takt is not initialised.
  explicit StockExecutor(const StockExecutorOptions & options = {});
  /// Must not be called in a callback of this executor.
  ~StockExecutor();
  StockExecutor(const StockExecutor &) = delete;
  StockExecutor & operator=(const StockExecutor &) = delete;

  /// Add and remove a node; see SchedulingExecutor.
  void add_node(const std::shared_ptr<Node> & node) { add_node(*node); }
  void add_node(Node & node);
  void remove_node(const std::shared_ptr<Node> & node) { remove_node(*node); }
  void remove_node(Node & node);

  /// Executes callbacks on the calling thread until cancel() or the shutdown of the context. Rethrows
  /// what a callback throws. Throws Error if the executor spins already.
  void spin();
  /// Ends spin(). If the executor does not spin, the next spin() returns at once. Any thread, including
  /// callbacks.
  void cancel();
  /// Returns whether spin() is running. Any thread.
  bool spinning() const noexcept;

  /// Sets the instant t0 (CLOCK_MONOTONIC, ns) of the release grid: each timer, whether created before or
  /// after this call, is released first at about t0 + phase. Without it, a timer is released first one
  /// period after it was added.
  void set_start(model::Time t0);

 private:
  friend detail::SpinUntil;
  void forget_cancel();

  class State;
  std::shared_ptr<State> state_;
};

}  // namespace takt
