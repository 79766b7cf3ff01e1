// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>

namespace takt::rclcpp::testing {

/// A node in a context of its own, as if in another process, which an rclcpp executor spins on a
/// thread until end().
class Outside {
 public:
  explicit Outside(const std::string & name) {
    context_->init(0, nullptr);
    node_ = std::make_shared<::rclcpp::Node>(
        name, ::rclcpp::NodeOptions().context(context_).enable_rosout(false));
  }
  ~Outside() { end(); }
  Outside(const Outside &) = delete;
  Outside & operator=(const Outside &) = delete;

  const ::rclcpp::Node::SharedPtr & node() const noexcept { return node_; }
  void begin() {
    ::rclcpp::ExecutorOptions options;
    options.context = context_;
    spins_ = std::make_shared<::rclcpp::executors::SingleThreadedExecutor>(options);
    spins_->add_node(node_);
    thread_ = std::thread([this] { spins_->spin(); });
  }
  /// To be called before anything that the node's callbacks use is destroyed.
  void end() {
    context_->shutdown("the test has ended");
    if (thread_.joinable()) thread_.join();
  }

 private:
  const ::rclcpp::Context::SharedPtr context_ = std::make_shared<::rclcpp::Context>();
  ::rclcpp::Node::SharedPtr node_;
  std::shared_ptr<::rclcpp::executors::SingleThreadedExecutor> spins_;
  std::thread thread_;
};

}  // namespace takt::rclcpp::testing
