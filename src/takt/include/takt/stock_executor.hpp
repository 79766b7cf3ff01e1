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

struct StockExecutorOptions {
  /// Whose shutdown ends spin(). Default: the default context.
  std::shared_ptr<Context> context = nullptr;
  /// Time for JobInfo::decision how long choosing each callback from what is ready takes; waiting
  /// and building the wait set are not in it.
  bool time_decisions = false;
};

/// The baseline: works as rclcpp's single-threaded executor did in 2021 (Foxy), and costs about the
/// same. Each round it collects all entities of its nodes into a wait set, waits, and executes what
/// was ready in that snapshot: timers in the order in which they were made, then subscriptions,
/// services, clients, events; one message or request each. Then it builds the wait set anew. No
/// priorities, no deadlines, no input before its turn. current_job() works in its callbacks; a
/// timer's index and release follow from rcl's expected call time.
///
/// Thread-safe. Set-up and spinning allocate; the baseline promises no bounds.
///
/// Two things differ from Foxy. Messages from inside the process are served with the subscriptions;
/// Foxy's waitables came after the clients. And timers can be given a common start.
class StockExecutor {
 public:
  /// Throws RclError; Error if takt is not initialised.
  explicit StockExecutor(const StockExecutorOptions & options = {});
  /// Not from a callback of its own.
  ~StockExecutor();
  StockExecutor(const StockExecutor &) = delete;
  StockExecutor & operator=(const StockExecutor &) = delete;

  /// As SchedulingExecutor's.
  void add_node(const std::shared_ptr<Node> & node) { add_node(*node); }
  void add_node(Node & node);
  void remove_node(const std::shared_ptr<Node> & node) { remove_node(*node); }
  void remove_node(Node & node);

  /// Executes callbacks on the calling thread until cancel() or the context's shutdown. Rethrows
  /// what a callback throws. Throws Error if it spins already.
  void spin();
  /// Ends spin(). Any thread, callbacks too. If it does not spin, the next spin() returns at once.
  void cancel();
  bool spinning() const noexcept;

  /// Timers are released at about t0 + phase first (CLOCK_MONOTONIC, ns), whether made before or
  /// after; otherwise one period after they were added.
  void set_start(model::Time t0);

 private:
  friend detail::SpinUntil;
  void forget_cancel();

  class State;
  std::shared_ptr<State> state_;
};

}  // namespace takt
