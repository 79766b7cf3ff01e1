// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/executor.hpp>
#include <rclcpp/node_interfaces/node_base_interface.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/tasks/scheduling_controls.hpp"
#include "takt_rclcpp/task_options.hpp"

namespace takt::rclcpp {

/// The parameter types by which functions of rclcpp's executor take a callback group and its node: by
/// value up to ROS 2 Kilted, by reference in later distributions.
template <typename>
struct ArgumentsOf;
template <typename GroupT, typename NodeT>
struct ArgumentsOf<void (::rclcpp::Executor::*)(GroupT, NodeT, bool)> {
  using Group = GroupT;
  using Node = NodeT;
};

/// takt's executor for unmodified rclcpp nodes. It runs their callbacks by priority or deadline, on fresh
/// inputs, and with preemption if the process has real-time rights. docs/reference/rclcpp.md describes
/// the names of tasks and which guarantees of rclcpp's executors hold.
///
/// Only spin() schedules, on threads of its own. spin_some(), spin_all(), spin_once(), spin_node_*() and
/// spin_until_future_complete() work as in rclcpp: they run ready callbacks on the calling thread, in
/// rclcpp's order. All functions of SchedulingControls may be used; where that class speaks of
/// callbacks, rclcpp's callbacks are meant as well.
class SchedulingExecutor : public ::rclcpp::Executor, public SchedulingControls {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SchedulingExecutor)

  /// Starts no thread. Allocates, and locks the memory of the process unless it is locked already or
  /// `lock_memory` is false, which takes tens of milliseconds; spin() reports whether that was granted.
  /// Throws Error (the same CPU twice, an invalid priority plan or policy, a value out of range).
  explicit SchedulingExecutor(
      const ::rclcpp::ExecutorOptions & options = ::rclcpp::ExecutorOptions(),
      const SchedulingOptions & scheduling = SchedulingOptions());
  explicit SchedulingExecutor(const SchedulingOptions & scheduling)
      : SchedulingExecutor(::rclcpp::ExecutorOptions(), scheduling) {}
  /// Ends spin() and waits until it has returned. Must not be called in a callback of this executor.
  ~SchedulingExecutor() override;

  /// Runs callbacks until cancel() or the shutdown of the context. The calling thread only waits. The
  /// first call creates the executor's threads, which takes about 1 ms per preemption level; later calls
  /// reuse them. Depending on `on_exception`, rethrows the exception of a callback.
  ///
  /// Before the context is shut down, callbacks that have started are given 0.5 s to return. Then the
  /// context's pre-shutdown callbacks are called, for at most SchedulingOptions::pre_shutdown_limit;
  /// meanwhile no callback starts except those that receive responses of services.
  ///
  /// Throws std::runtime_error if the executor spins already, Error if the strategy does not fit the
  /// nodes, and std::system_error if threads cannot be created.
  void spin() override;
  /// Ends spin(), as in rclcpp: started callbacks finish, and the executor spins until then. Any thread,
  /// including callbacks.
  void cancel() override;

  // As in rclcpp: run ready callbacks on the calling thread. Entities that were created just before the
  // call are included. Waiting for a future in a callback of an executor that spins throws Error.
  void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0)) override;
  void spin_all(std::chrono::nanoseconds max_duration) override;
  void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1)) override;

  using Base = ArgumentsOf<decltype(&::rclcpp::Executor::add_callback_group)>;
  // add_node() and add_callback_group() throw std::runtime_error if the node or group has an executor
  // already, as in rclcpp. Any thread, including callbacks, while spinning or not.
  using ::rclcpp::Executor::add_node;
  void add_node(Base::Node node, bool notify = true) override;
  void add_callback_group(Base::Group group, Base::Node node, bool notify = true) override;
  // After the return, what was removed may be added to another executor. A callback that is running
  // finishes; callbacks that were released but have not started do not run. The functions do not wait
  // for the running callback. If the same entity or its mutually exclusive group is added to this
  // executor again, its callbacks start only after the running one has returned.
  using ::rclcpp::Executor::remove_node;
  void remove_node(Base::Node node, bool notify = true) override;
  void remove_callback_group(Base::Group group, bool notify = true) override;
  /// Waits until the running callbacks of removed nodes and groups have returned. Afterwards, objects to
  /// which these callbacks hold plain pointers may be destroyed. Covers only callbacks that spin() runs.
  /// Any thread; in a callback it returns at once without waiting.
  void finish_removals();
  /// As above, but waits for at most `limit` (0 or less: not at all) and, unless `node` is nullptr, for
  /// the callbacks of that node only. Returns the names, as in tasks(), of the callbacks that have not
  /// returned. In a callback it returns an empty list at once. Allocates. Several threads may wait.
  std::vector<std::string> finish_removals(
      std::chrono::nanoseconds limit,
      const ::rclcpp::node_interfaces::NodeBaseInterface::SharedPtr & node = nullptr);

  /// See SchedulingControls. A timer reads those topics of its node that the strategy lists under
  /// `subscribes` or gives a `max_age`.
  void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) override;

  /// See SchedulingControls. While the executor does not spin, the current callbacks of its nodes are
  /// listed.
  std::vector<std::pair<executor::TaskId, std::string>> tasks() const override;
  /// Returns the name that the task of a timer, subscription, service, client or waitable has in tasks()
  /// and in strategy files; "" if the executor does not know the entity. (In files, the first of several
  /// tasks whose names differ only in a number must be written as `name#1`.) Any thread; allocates.
  std::string task_name(const std::shared_ptr<const void> & entity) const;

  // Set the timing of one callback and replace options that were set before. May be called before or
  // after the entity's node is added, from any thread, including callbacks, while spinning or not.
  // They change the task set; see SchedulingControls for what that implies. The scenarios of a strategy
  // take precedence. Throw Error for a value out of range, and for an option that does not apply to the
  // kind of entity.

  void set_task(const ::rclcpp::TimerBase::SharedPtr & timer, const TaskOptions & options);
  void set_task(const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                const TaskOptions & options);
  void set_task(const ::rclcpp::ServiceBase::SharedPtr & service, const TaskOptions & options);
  void set_task(const ::rclcpp::ClientBase::SharedPtr & client, const TaskOptions & options);
  void set_task(const ::rclcpp::Waitable::SharedPtr & waitable, const TaskOptions & options);

 protected:
  ::rclcpp::FutureReturnCode spin_until_future_complete_impl(
      std::chrono::nanoseconds timeout,
      const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future)
      override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace takt::rclcpp
