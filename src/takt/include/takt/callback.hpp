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

/// How many entities a callback puts into a wait set.
struct WaitSetSize {
  std::size_t subscriptions = 0;
  std::size_t guard_conditions = 0;
  std::size_t timers = 0;
  std::size_t clients = 0;
  std::size_t services = 0;

  WaitSetSize & operator+=(const WaitSetSize & other) noexcept;
};

using tasks::Demand;

/// A callback of takt's own nodes: also executed by an executor with a wait set. Its handle, made by
/// NodeBase::add, detaches it when its last copy goes.
class Callback : public tasks::Callback {
 public:
  Callback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
           const Demand & demand = {});

  /// The same node, as takt's. It cannot override: here the class is only declared.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  NodeBase & node() const noexcept;

  // ---- for executors with a wait set

  /// Creates what only a wait set needs (guard conditions, rcl timers). Called once. May throw.
  virtual void prepare_wait_set() {}
  virtual WaitSetSize wait_set_size() const noexcept { return {}; }
  /// Adds its entities and remembers their places.
  virtual void add_to_wait_set(rcl_wait_set_t & /*set*/) {}
  /// After rcl_wait: whether there is something to execute. True for nothing in the set.
  virtual bool is_ready(const rcl_wait_set_t & /*set*/) const noexcept { return false; }
  /// Whether something was taken and not delivered, of which no wait set tells.
  virtual bool holds() const noexcept { return false; }
  /// Before execute: fills in what it knows of the job (index, release, deadline). False if there
  /// is nothing to run after all.
  virtual bool claim(JobInfo & /*job*/) { return true; }
  /// Moves a timer's grid: its releases lie at t0 + phase + k * period. CLOCK_MONOTONIC, ns.
  virtual void set_start(model::Time /*t0*/) {}

 private:
  friend class StockExecutor;
  std::atomic<TaskId> stock_task_ = TaskId::none;  // as soon as it may be waited for
  std::uint64_t stock_jobs_ = 0;
};

}  // namespace takt
