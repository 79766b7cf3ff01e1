// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/component_manager.hpp>
#include <string>
#include <utility>
#include <vector>

#include "departing_components.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp {

/// Loads and unloads on a thread of ordinary priority, whose CPUs the threads of a component's own
/// inherit. Never waits for a callback of a component.
class ContainerManager : public rclcpp_components::ComponentManager {
 public:
  /// `limit`: who unloads a component is answered then at the latest.
  ContainerManager(const std::shared_ptr<SchedulingExecutor> & executor,
                   std::chrono::nanoseconds limit);

  /// `ros2 param set /ComponentManager scenario NAME` requests it.
  void offer_scenarios(const std::string & first);
  /// Is called when a component has been loaded. Before it spins.
  void on_load(std::function<void()> function) { loaded_ = std::move(function); }
  /// While nobody spins it any more. All components go, see DepartingComponents::finish().
  std::vector<std::string> unload_all(std::chrono::nanoseconds limit);

 protected:
  void on_load_node(std::shared_ptr<rmw_request_id_t> header,
                    std::shared_ptr<LoadNode::Request> request,
                    std::shared_ptr<LoadNode::Response> response) override;
  /// With those that are going.
  void on_list_nodes(std::shared_ptr<rmw_request_id_t> header,
                     std::shared_ptr<ListNodes::Request> request,
                     std::shared_ptr<ListNodes::Response> response) override;

 private:
  using Unload = ::rclcpp::Service<UnloadNode>;
  void unload(const Unload::SharedPtr & service, const std::shared_ptr<rmw_request_id_t> & header,
              std::uint64_t id);

  const std::shared_ptr<SchedulingExecutor> scheduling_;
  OnSetParametersCallbackHandle::SharedPtr checks_;
  PostSetParametersCallbackHandle::SharedPtr changes_;
  std::function<void()> loaded_;
  DepartingComponents departing_;
};

}  // namespace takt::rclcpp
