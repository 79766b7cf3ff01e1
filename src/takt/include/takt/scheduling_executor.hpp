// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt/context.hpp"
#include "takt/job.hpp"
#include "takt/node.hpp"
#include "takt/policy.hpp"
#include "takt_core/executor/processor.hpp"

namespace takt {

namespace detail {
class Binder;
}

using executor::Grants;
using executor::OnException;
using executor::PriorityPlan;
using executor::Statistics;

struct SchedulingExecutorOptions {
  SchedulingPolicy policy = "rm";
  /// The CPU it runs on: exactly one. Empty: the first that the process may use, which is reported.
  std::vector<int> cpus = {};
  PriorityPlan plan = {};
  OnException on_exception = OnException::rethrow;
  /// Lock the process's memory when spinning starts.
  bool lock_memory = true;
  /// Time each decision for JobInfo::decision: two more reads of the clock per job.
  bool time_decisions = false;
  /// Warnings, one line each. Default: standard error.
  std::function<void(const std::string &)> log = nullptr;
  /// Whose shutdown ends spin(). Default: the default context.
  std::shared_ptr<Context> context = nullptr;
};

/// Runs the callbacks of nodes by priority or deadline, with preemption where the process has
/// real-time rights, and gives them fresh inputs. What was asked for and not granted is said once
/// and stands in grants(). Thread-safe.
class SchedulingExecutor {
 public:
  /// Called for each miss, on a thread of its own priority; never concurrently with itself.
  using MissHandler = std::function<void(const Miss & miss, const std::string & callback)>;

  /// Throws Error (more than one CPU, a plan or policy that does not fit). Starts no thread.
  explicit SchedulingExecutor(const SchedulingExecutorOptions & options = {});
  /// Stops. Not from a callback of its own.
  ~SchedulingExecutor();
  SchedulingExecutor(const SchedulingExecutor &) = delete;
  SchedulingExecutor & operator=(const SchedulingExecutor &) = delete;

  /// Runs the node's callbacks from now on, those made later too. The node may go at any time. Also
  /// while spinning, from callbacks too. Throws Error if the node has an executor already.
  void add_node(const std::shared_ptr<Node> & node) { add_node(*node); }
  void add_node(Node & node);
  /// On return none of its callbacks runs or will, unless called from a callback.
  void remove_node(const std::shared_ptr<Node> & node) { remove_node(*node); }
  void remove_node(Node & node);

  /// Runs until cancel() or the context's shutdown; rethrows a callback's exception if so
  /// configured. The calling thread waits. Throws Error if it spins already or takt is not
  /// initialised.
  void spin();
  /// Ends spin(): started jobs finish. Any thread, callbacks too. If it does not spin, the next
  /// spin() returns at once.
  void cancel();
  bool spinning() const;

  /// t0 of the grid, an instant of CLOCK_MONOTONIC in ns. Default: now, at the first spin().
  void set_start(model::Time t0);

  /// Exchanges the policy. Throws Error while spinning: what changes then is scenarios.
  void set_scheduling_policy(const SchedulingPolicy & policy);
  /// The thesis's form: true if the first job goes before the second.
  void set_scheduling_policy_function(SchedulingPolicy::Before before) {
    set_scheduling_policy(comparator_policy(std::move(before)));
  }
  /// Gives the policy another snapshot of the application's state. Any thread.
  void set_state(ApplicationState state);
  template <typename T>
  void set_state(T value) {
    set_state(ApplicationState::of(std::move(value)));
  }
  void on_deadline_miss(MissHandler handler);

  Grants grants() const;
  Statistics statistics() const;
  /// Of a callback by its identifier `node/name`. Throws Error if there is none, or it has no
  /// releases of its own.
  TaskCounters counters(const std::string & callback) const;
  /// The identifiers of all tasks with the numbers that JobInfo shows.
  std::vector<std::pair<TaskId, std::string>> tasks() const;

  /// What carries the schedule out. Another one after set_scheduling_policy.
  executor::Processor & processor();

 private:
  std::shared_ptr<Context> context_;
  std::shared_ptr<detail::Binder> binder_;
};

}  // namespace takt
