// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "view_server.hpp"

#include <atomic>
#include <cstdint>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <exception>
#include <rclcpp/executors/single_threaded_executor.hpp>
#include <rclcpp/node.hpp>
#include <rclcpp/utilities.hpp>
#include <takt_msgs/srv/inspect.hpp>
#include <takt_msgs/srv/set_scenario.hpp>

namespace takt::rclcpp {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using takt_msgs::srv::Inspect;
using takt_msgs::srv::SetScenario;

::rclcpp::NodeOptions node_options(const ::rclcpp::Context::SharedPtr & context) {
  return ::rclcpp::NodeOptions()
      .context(context)
      // Names and parameters that the command line gives to the process's nodes are not for this one.
      .use_global_arguments(false)
      .enable_rosout(false)
      .parameter_overrides({{"start_type_description_service", false}})
      .start_parameter_services(false)
      .start_parameter_event_publisher(false);
}

::rclcpp::ExecutorOptions executor_options(const ::rclcpp::Context::SharedPtr & context) {
  ::rclcpp::ExecutorOptions options;
  options.context = context;
  return options;
}

class ViewServer : public view::Server {
 public:
  ViewServer(const ::rclcpp::Context::SharedPtr & context, view::View & view)
      : context_(context),
        executor_(executor_options(context)),
        node_(std::make_shared<::rclcpp::Node>(view.node_name(), node_options(context))),
        publisher_(node_->create_publisher<DiagnosticArray>("/diagnostics", 10)),
        timer_(node_->create_wall_timer(
            view.period(), [this, &view] { publisher_->publish(view.diagnostics(now())); })),
        inspect_(node_->create_service<Inspect>(
            "~/inspect",
            [this, &view](const Inspect::Request::SharedPtr & request,
                          const Inspect::Response::SharedPtr & response) {
              view.inspect(*request, *response, now());
            })),
        scenario_(node_->create_service<SetScenario>(
            "~/set_scenario", [&view](const SetScenario::Request::SharedPtr & request,
                                      const SetScenario::Response::SharedPtr & response) {
              view.set_scenario(*request, *response);
            })) {
    executor_.add_node(node_);
  }

  void spin() override {
    // Not the executor's own spin(), which would ignore a cancel() that was called before.
    while (!canceled_.load() && ::rclcpp::ok(context_)) executor_.spin_once();
  }
  void cancel() noexcept override {
    canceled_.store(true);
    try {
      executor_.cancel();
    } catch (const std::exception &) {
      return;  // spin() ends with the next period
    }
  }

 private:
  std::int64_t now() { return node_->now().nanoseconds(); }

  const ::rclcpp::Context::SharedPtr context_;
  std::atomic<bool> canceled_ = false;
  ::rclcpp::executors::SingleThreadedExecutor executor_;
  const ::rclcpp::Node::SharedPtr node_;
  const ::rclcpp::Publisher<DiagnosticArray>::SharedPtr publisher_;
  const ::rclcpp::TimerBase::SharedPtr timer_;
  const ::rclcpp::Service<Inspect>::SharedPtr inspect_;
  const ::rclcpp::Service<SetScenario>::SharedPtr scenario_;
};

}  // namespace

std::unique_ptr<view::Server> make_view_server(const ::rclcpp::Context::SharedPtr & context,
                                               view::View & view) {
  return std::make_unique<ViewServer>(context, view);
}

}  // namespace takt::rclcpp
