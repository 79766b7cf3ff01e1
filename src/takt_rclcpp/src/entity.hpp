// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/executor.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "node_view.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_rclcpp/task_options.hpp"

namespace takt::rclcpp {

/// What entities tell whoever keeps them; lives as long as they.
class Keeper {
 public:
  virtual ~Keeper() = default;
  /// An entity of rclcpp has gone. Any thread; neither blocks nor allocates.
  virtual void look_again() noexcept = 0;
  /// The set of those that a wait set waits for has changed. Any thread.
  virtual void wait_again() noexcept = 0;
};

/// An entity of rclcpp as a task: what timers, subscriptions, services, clients and waitables have in
/// common. It knows the entity weakly, as rclcpp's executors do.
class Entity : public tasks::Callback {
 public:
  Entity(std::shared_ptr<NodeView> node, model::Task task, CallbackGroup::SharedPtr group,
         const TaskOptions & options, std::shared_ptr<Keeper> keeper)
      : tasks::Callback(std::move(node), std::move(task), std::move(group),
                        {options.processor, options.wcet}),
        options_(options),
        keeper_(std::move(keeper)) {}

  const TaskOptions & options() const noexcept { return options_; }
  /// Whether it can tell of what comes itself; else a wait set waits for it.
  virtual bool listens() const noexcept { return true; }

 protected:
  const TaskOptions options_;
  const std::shared_ptr<Keeper> keeper_;
};

/// rclcpp's own ways to run a callback.
struct Run : ::rclcpp::Executor {
  using ::rclcpp::Executor::execute_client;
  using ::rclcpp::Executor::execute_service;
  using ::rclcpp::Executor::execute_subscription;
};

/// Throws what rclcpp throws for it, with `what` before.
void check(rcl_ret_t code, const std::string & what);

/// The task of an entity: what its options say. Throws Error for what does not fit to its kind.
model::Task make_task(const std::string & name, model::TaskKind kind, const TaskOptions & options);

}  // namespace takt::rclcpp
