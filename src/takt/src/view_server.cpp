// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "view_server.hpp"

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <takt_msgs/srv/inspect.hpp>

#include "scenario_service.hpp"
#include "takt/node.hpp"
#include "takt/stock_executor.hpp"

namespace takt::detail {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using takt_msgs::srv::Inspect;

NodeOptions node_options(const std::shared_ptr<Context> & context) {
  NodeOptions options;
  options.context = context;
  // Names and parameters that the command line gives to the process's nodes are not for this one.
  options.use_global_arguments = false;
  options.enable_rosout = false;
  options.parameter_overrides = {Parameter("start_type_description_service", false)};
  options.start_parameter_services = false;
  options.start_parameter_event_publisher = false;
  options.enable_scenario_service = false;
  return options;
}

class ViewServer : public view::Server {
 public:
  ViewServer(const std::shared_ptr<Context> & context, view::View & view)
      : executor_({.context = context}),
        node_(view.node_name(), node_options(context)),
        publisher_(node_.create_publisher<DiagnosticArray>("/diagnostics", 10)),
        timer_(node_.create_timer("diagnostics", view.period(),
                                  [this, &view] { publisher_->publish(view.diagnostics(now())); })),
        inspect_(node_.create_service<Inspect>(
            "~/inspect",
            [this, &view](const Inspect::Request & request, Inspect::Response & response) {
              view.inspect(request, response, now());
            })),
        scenario_(
            make_scenario_service(node_.base(), [&view](const auto & request, auto & response) {
              view.set_scenario(request, response);
            })) {
    executor_.add_node(node_);
  }

  void spin() override { executor_.spin(); }
  void cancel() noexcept override { executor_.cancel(); }

 private:
  std::int64_t now() { return node_.now().nanoseconds(); }

  StockExecutor executor_;
  Node node_;
  std::shared_ptr<Publisher<DiagnosticArray>> publisher_;
  std::shared_ptr<Timer> timer_;
  std::shared_ptr<Callback> inspect_;
  std::shared_ptr<Callback> scenario_;
};

}  // namespace

std::unique_ptr<view::Server> make_view_server(const std::shared_ptr<Context> & context,
                                               view::View & view) {
  return std::make_unique<ViewServer>(context, view);
}

}  // namespace takt::detail
