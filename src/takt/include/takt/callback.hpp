// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/wait.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "takt/job.hpp"
#include "takt_core/tasks/callback.hpp"

namespace takt {

class NodeBase;

/// The number of entities of each kind that a callback adds to an rcl wait set.
struct WaitSetSize {
  std::size_t subscriptions = 0;
  std::size_t guard_conditions = 0;
  std::size_t timers = 0;
  std::size_t clients = 0;
  std::size_t services = 0;

  WaitSetSize & operator+=(const WaitSetSize & other) noexcept;
};

using tasks::Demand;

/// A callback of one of takt's own nodes. Beyond the interface of tasks::Callback, which a
/// SchedulingExecutor uses, it can be executed by an executor that waits with an rcl wait set
/// (StockExecutor). NodeBase::add() returns its handle; when the last copy of the handle is
/// destroyed, the callback is detached from its node and its executor.
class Callback : public tasks::Callback {
 public:
  /// See tasks::Callback's constructor for the arguments and for what is thrown.
  Callback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
           const Demand & demand = {});

  /// The callback's node as a NodeBase. It hides tasks::Callback::node() instead of overriding it,
  /// because NodeBase is an incomplete type here. Any thread; neither allocates nor blocks.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  NodeBase & node() const noexcept;

  // ---- for executors with a wait set; called on the thread that spins unless stated otherwise

  /// Creates the entities that only a wait set needs (guard conditions, rcl timers). Called once,
  /// when an executor with a wait set takes the callback. Allocates; may throw RclError.
  virtual void prepare_wait_set() {}
  /// The number of entities that add_to_wait_set() adds.
  virtual WaitSetSize wait_set_size() const noexcept { return {}; }
  /// Adds the callback's entities to the wait set and stores their indices for is_ready().
  virtual void add_to_wait_set(rcl_wait_set_t & /*set*/) {}
  /// After rcl_wait(): returns whether this callback has something to execute.
  virtual bool is_ready(const rcl_wait_set_t & /*set*/) const noexcept { return false; }
  /// Returns whether an item was taken from the middleware and has not been delivered yet. The wait
  /// set does not report such an item as ready.
  virtual bool holds() const noexcept { return false; }
  /// Called before execute(): fills in the fields of the job that the callback knows (index, release,
  /// deadline). Returns false if there is nothing to execute after all.
  virtual bool claim(JobInfo & /*job*/) { return true; }
  /// Sets the origin of a timer's release grid: releases lie at t0 + phase + k * period. `t0` is an
  /// instant of CLOCK_MONOTONIC in ns.
  virtual void set_start(model::Time /*t0*/) {}

 private:
  friend class StockExecutor;
  std::atomic<TaskId> stock_task_ = TaskId::none;  // set before the callback is first waited for
  std::uint64_t stock_jobs_ = 0;
};

}  // namespace takt
