// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/node.hpp>
#include <vector>

#include "application.hpp"

namespace takt::lab {

/// An application as nodes of rclcpp.
class RclcppApplication : public Application {
 public:
  /// As Application. Throws what rclcpp does.
  RclcppApplication(const Spec & spec, const Work & work, model::Duration length);

  /// A callback with what rclcpp has of it.
  struct Entities {
    WorkTask * task;
    model::Time first;  ///< release
    ::rclcpp::TimerBase::SharedPtr timer;
    std::vector<::rclcpp::SubscriptionBase::SharedPtr> inputs;
  };
  /// In the order of the spec.
  std::vector<std::unique_ptr<Entities>> & entities() noexcept { return entities_; }
  const std::vector<::rclcpp::Node::SharedPtr> & nodes() const noexcept { return nodes_; }

 private:
  void add(WorkTask & task, ::rclcpp::Node & node,
           const ::rclcpp::CallbackGroup::SharedPtr & group);

  std::vector<::rclcpp::Node::SharedPtr> nodes_;
  std::vector<::rclcpp::CallbackGroup::SharedPtr> groups_;  // nodes only know them
  std::vector<std::unique_ptr<Entities>> entities_;         // they go first
};

}  // namespace takt::lab
