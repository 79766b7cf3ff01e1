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

/// Loads and unloads components on a thread of ordinary priority; threads that a component starts inherit
/// its CPU affinity. Never waits for a callback of a component.
class ContainerManager : public rclcpp_components::ComponentManager {
 public:
  /// `limit` is the longest time until a request to unload a component is answered.
  ContainerManager(const std::shared_ptr<SchedulingExecutor> & executor,
                   std::chrono::nanoseconds limit);

  /// Declares the parameter `scenario`, whose first value is `first`: setting it, as by
  /// `ros2 param set /ComponentManager scenario NAME`, requests a scenario.
  void offer_scenarios(const std::string & first);
  /// Sets a function to be called when a component has been loaded. To be called before the manager spins.
  void on_load(std::function<void()> function) { loaded_ = std::move(function); }
  /// Unloads all components; see DepartingComponents::finish(). To be called when the manager does not
  /// spin any more.
  std::vector<std::string> unload_all(std::chrono::nanoseconds limit);

 protected:
  void on_load_node(std::shared_ptr<rmw_request_id_t> header,
                    std::shared_ptr<LoadNode::Request> request,
                    std::shared_ptr<LoadNode::Response> response) override;
  /// Lists also the components that are being unloaded.
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
