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

/// How a function of rclcpp's executor takes a callback group and its node: by value up to Kilted, by
/// reference after.
template <typename>
struct ArgumentsOf;
template <typename GroupT, typename NodeT>
struct ArgumentsOf<void (::rclcpp::Executor::*)(GroupT, NodeT, bool)> {
  using Group = GroupT;
  using Node = NodeT;
};

/// takt's executor for nodes of rclcpp, which need not know of it: their callbacks by priority or
/// deadline, with preemption where the process has real-time rights, and with fresh inputs. Names of
/// tasks, and which promises of rclcpp's executors it keeps: docs/reference/rclcpp.md.
///
/// spin() schedules, on threads of its own. spin_some(), spin_all(), spin_once(), spin_node_*() and
/// spin_until_future_complete() are rclcpp's: they run what is ready on the calling thread, in its
/// order. All of SchedulingControls may be used; what it says of callbacks holds for rclcpp's.
class SchedulingExecutor : public ::rclcpp::Executor, public SchedulingControls {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SchedulingExecutor)

  /// Throws Error (a CPU given twice, a plan or policy that does not fit). Starts no thread. Locks
  /// the process's memory, unless it is locked or `lock_memory` is false, which takes tens of
  /// milliseconds; whether it was granted is told by spin().
  explicit SchedulingExecutor(
      const ::rclcpp::ExecutorOptions & options = ::rclcpp::ExecutorOptions(),
      const SchedulingOptions & scheduling = SchedulingOptions());
  explicit SchedulingExecutor(const SchedulingOptions & scheduling)
      : SchedulingExecutor(::rclcpp::ExecutorOptions(), scheduling) {}
  /// Ends spin() and waits until that has returned. Not from a callback of its own.
  ~SchedulingExecutor() override;

  /// Runs until cancel() or the shutdown of its context. While that one's pre-shutdown callbacks are
  /// called only answers to clients are received and no other callback starts; those that have
  /// started finish first, for half a second at most (SchedulingOptions::pre_shutdown_limit). Rethrows
  /// a callback's exception if so configured. The first time threads are made, a millisecond for each
  /// preemption level; they wait for the next time. The calling thread waits. Throws
  /// std::runtime_error if it spins already, Error if
  /// the strategy does not fit to the nodes, std::system_error if there can be no threads. May be
  /// called again.
  void spin() override;
  /// As rclcpp: started callbacks finish; until then it spins. Any thread, callbacks too.
  void cancel() override;

  // As rclcpp: what is ready, on the calling thread. Entities made just before are known. Waiting for a
  // future in a callback of an executor that spins throws Error, which names the other way.
  void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0)) override;
  void spin_all(std::chrono::nanoseconds max_duration) override;
  void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1)) override;

  using Base = ArgumentsOf<decltype(&::rclcpp::Executor::add_callback_group)>;
  using ::rclcpp::Executor::add_node;
  void add_node(Base::Node node, bool notify = true) override;
  void add_callback_group(Base::Group group, Base::Node node, bool notify = true) override;
  // On return what was removed is free for another executor. A callback that runs finishes, and what
  // was released and has not begun does not run. Nobody waits for it, but that the same entity, or its
  // exclusive group, if it comes back to this executor, runs when it has returned.
  using ::rclcpp::Executor::remove_node;
  void remove_node(Base::Node node, bool notify = true) override;
  void remove_callback_group(Base::Group group, bool notify = true) override;
  /// Waits for the callbacks that run of nodes and groups that were removed: then their objects may
  /// go that callbacks know by plain pointers. Of spin() alone; any thread but a callback, where it
  /// returns at once.
  void finish_removals();
  /// The same for at most so long (0 or less: without waiting), and of this node alone unless it is
  /// nullptr. Returns the names of the callbacks that have not returned, as in tasks(); none if all
  /// have, and in a callback. Allocates. Several threads may wait.
  std::vector<std::string> finish_removals(
      std::chrono::nanoseconds limit,
      const ::rclcpp::node_interfaces::NodeBaseInterface::SharedPtr & node = nullptr);

  /// As SchedulingControls. A timer reads the topics of its node that the strategy says it
  /// `subscribes`, or gives a `max_age`.
  void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) override;

  /// As SchedulingControls; while it does not spin, those of its nodes as they are now.
  std::vector<std::pair<executor::TaskId, std::string>> tasks() const override;
  /// What the task of a timer, subscription, service, client or waitable is called in tasks() and
  /// files, in which the first of several that only a number tells apart is `name#1`; "" if the
  /// executor has not seen it.
  std::string task_name(const std::shared_ptr<const void> & entity) const;

  // The timing of one callback, in place of what was set before. Any thread, callbacks and while
  // spinning too; before its node is added or after. A change of tasks, see SchedulingControls.
  // Throws Error for a value out of range, and for what does not fit to the entity. A strategy's
  // scenarios go before it.

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
