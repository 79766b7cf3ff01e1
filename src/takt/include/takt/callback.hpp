// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/wait.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "takt/callback_group.hpp"
#include "takt/job.hpp"
#include "takt/time.hpp"
#include "takt_core/model/scenario.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt {

class NodeBase;

/// How many entities a callback puts into a wait set.
struct WaitSetSize {
  std::size_t subscriptions = 0;
  std::size_t guard_conditions = 0;
  std::size_t timers = 0;
  std::size_t clients = 0;
  std::size_t services = 0;
  std::size_t events = 0;

  WaitSetSize & operator+=(const WaitSetSize & other) noexcept;
};

/// What a callback asks of an executor with several processors.
struct Demand {
  /// The one that it must be on: its place among the executor's CPUs, from 0. Not given: its
  /// group's, else the node's.
  std::optional<std::size_t> processor = std::nullopt;
  /// Execution time of a job, at most; at least 0, 0 for not known.
  Duration wcet = Duration::zero();
};

/// A unit of execution with the identifier `node/name`: of a timer, a subscription, a service, a
/// client, an event. Base of the entities a node makes; executors know nothing else.
///
/// Life: the node lists it weakly, an executor knows it weakly. The user's handle, made by
/// NodeBase::add, calls detach() when its last copy goes: on return no job of it runs or will,
/// unless that happens inside a job, of whichever executor: that never waits, and a job that runs
/// still finishes.
class Callback : public std::enable_shared_from_this<Callback> {
 public:
  /// `task` says kind, timing and priority; its `id` is the bare name, made `node/name` by
  /// NodeBase::add; its `group` is left out. `group`: nullptr for the node's default group. Throws
  /// Error for timing or a priority out of range, and for a processor that is not the group's.
  Callback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
           const Demand & demand = {});
  virtual ~Callback();
  Callback(const Callback &) = delete;
  Callback & operator=(const Callback &) = delete;

  const std::string & id() const noexcept { return task_.id; }
  TaskKind kind() const noexcept { return task_.kind; }
  NodeBase & node() const noexcept { return *node_; }

  /// What the scheduler is to know; `group` is model::none.
  virtual model::Task task() const { return task_; }
  virtual CallbackGroup::SharedPtr group() const;
  /// False if it has no releases of its own: a subscription that is only read, a canceled timer.
  virtual bool is_task() const noexcept { return true; }

  /// The processor that it must be on, by its own options, its group's or the node's; none: any.
  std::optional<std::size_t> processor() const;
  /// The share of a processor that it declares to need: its WCET, else its budget, by its period,
  /// as a scenario has them; 0: not known.
  double utilisation(const model::Timing & timing = {}) const;

  /// Whether its jobs are given the messages of this topic (resolved) before they begin.
  virtual bool reads(const std::string & /*topic*/) const noexcept { return false; }

  /// Runs one job; takes what there is to take. May throw what the user's code throws. Called by
  /// one thread at a time, on an executor's thread, where current_job() is `job`.
  virtual void execute(const JobInfo & job) = 0;

  // ---- for executors that are told of releases

  /// Tells of `count` releases. Any thread, the middleware's too. Must not allocate or block.
  using Notify = void (*)(void * context, std::size_t count);
  /// From now on `notify` is called for each release; at once for those that had no job yet.
  /// nullptr: nobody is told, releases are counted. On return the previous one is not being called.
  void set_notify(Notify notify, void * context);
  /// Runs the job of one release. As execute.
  void run(const JobInfo & job);
  /// Starts or stops to be told by the middleware (new-message callbacks). Set-up; may throw.
  virtual void listen(bool /*on*/) {}

  // ---- for executors with a wait set

  /// Creates what only a wait set needs (guard conditions, rcl timers). Called once. May throw.
  virtual void prepare_wait_set() {}
  virtual WaitSetSize wait_set_size() const noexcept { return {}; }
  /// Adds its entities and remembers their places.
  virtual void add_to_wait_set(rcl_wait_set_t & /*set*/) {}
  /// After rcl_wait: whether there is something to execute. True for nothing in the set.
  virtual bool is_ready(const rcl_wait_set_t & /*set*/) const noexcept { return false; }
  /// Before execute: fills in what it knows of the job (index, release, deadline). False if there
  /// is nothing to run after all.
  virtual bool claim(JobInfo & /*job*/) { return true; }
  /// Moves a timer's grid: its releases lie at t0 + phase + k * period. CLOCK_MONOTONIC, ns.
  virtual void set_start(model::Time /*t0*/) {}

  /// Called by NodeBase::add, when the object is complete and listed. May throw.
  virtual void attach() {}
  /// Leaves the node and its executor; see the class. Idempotent. Overriders call this one first.
  virtual void detach();

 protected:
  /// It was released `count` times. Any thread; never allocates or throws.
  void released(std::size_t count = 1) noexcept;
  /// Its task() or is_task() has changed: the executor is told. Not while its locks are held.
  void changed();

  model::Task task_;

 private:
  friend class NodeBase;
  friend class StockExecutor;
  std::shared_ptr<NodeBase> node_;
  CallbackGroup::SharedPtr group_;
  const Demand demand_;
  os::PiMutex notify_mutex_;
  Notify notify_ = nullptr;
  void * notify_context_ = nullptr;
  std::atomic<std::size_t> waiting_ = 0;                 // releases without a job so far
  std::atomic<model::TaskId> stock_task_ = model::none;  // as soon as it may be waited for
  std::uint64_t stock_jobs_ = 0;
};

}  // namespace takt
