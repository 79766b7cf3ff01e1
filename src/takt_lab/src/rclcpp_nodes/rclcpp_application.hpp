// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/node.hpp>
#include <vector>

#include "application.hpp"

namespace takt::lab {

/// An application with rclcpp nodes.
class RclcppApplication : public Application {
 public:
  /// See Application. Throws also rclcpp's exceptions.
  RclcppApplication(const Spec & spec, const Work & work, model::Duration length);

  /// A callback with its rclcpp entities.
  struct Entities {
    WorkTask * task;
    model::Time first;  ///< the first release
    ::rclcpp::TimerBase::SharedPtr timer;
    std::vector<::rclcpp::SubscriptionBase::SharedPtr> inputs;
  };
  /// The entities of the callbacks, in the order of the spec.
  std::vector<std::unique_ptr<Entities>> & entities() noexcept { return entities_; }
  const std::vector<::rclcpp::Node::SharedPtr> & nodes() const noexcept { return nodes_; }

 private:
  void add(WorkTask & task, ::rclcpp::Node & node,
           const ::rclcpp::CallbackGroup::SharedPtr & group);

  std::vector<::rclcpp::Node::SharedPtr> nodes_;
  std::vector<::rclcpp::CallbackGroup::SharedPtr> groups_;  // nodes hold only weak pointers to them
  std::vector<std::unique_ptr<Entities>> entities_;         // last, to be destroyed first
};

}  // namespace takt::lab
