// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "container_manager.hpp"

#include <exception>
#include <utility>

namespace takt::rclcpp {

ContainerManager::ContainerManager(const std::shared_ptr<SchedulingExecutor> & executor,
                                   std::chrono::nanoseconds limit)
    : ComponentManager(executor, "ComponentManager",
                       ::rclcpp::NodeOptions().start_parameter_event_publisher(false)),
      scheduling_(executor),
      departing_(executor, limit) {
  // Replaces rclcpp's service, which must answer before its function returns.
  unloadNode_srv_.reset();
  unloadNode_srv_ = create_service<UnloadNode>(
      "~/_container/unload_node",
      // Parameters by value, because rclcpp does not accept other forms of the function.
      // NOLINTNEXTLINE(performance-unnecessary-value-param)
      [this](std::shared_ptr<Unload> service, std::shared_ptr<rmw_request_id_t> header,
             // NOLINTNEXTLINE(performance-unnecessary-value-param)
             std::shared_ptr<UnloadNode::Request> request) {
        unload(service, header, request->unique_id);
      },
      ::rclcpp::ServicesQoS().keep_last(200));
}

void ContainerManager::offer_scenarios(const std::string & first) {
  const std::string given = declare_parameter("scenario", first);
  if (given != first) scheduling_->request_scenario(given);
  checks_ = add_on_set_parameters_callback([this](const auto & parameters) {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    for (const ::rclcpp::Parameter & parameter : parameters) {
      if (parameter.get_name() != "scenario") continue;
      try {
        scheduling_->scenario_number(parameter.as_string());
      } catch (const std::exception & error) {
        result.successful = false;
        result.reason = error.what();
      }
    }
    return result;
  });
  // Requested only after all parameters that are set together have been accepted.
  changes_ = add_post_set_parameters_callback([this](const auto & parameters) {
    for (const ::rclcpp::Parameter & parameter : parameters) {
      if (parameter.get_name() != "scenario") continue;
      try {
        scheduling_->request_scenario(parameter.as_string());
      } catch (const std::exception & error) {
        RCLCPP_WARN(get_logger(), "%s", error.what());  // the strategy has been replaced meanwhile
      }
    }
  });
}

void ContainerManager::unload(const Unload::SharedPtr & service,
                              const std::shared_ptr<rmw_request_id_t> & header, std::uint64_t id) {
  const auto answer = [service, header, logger = get_logger()](const std::string & error) {
    UnloadNode::Response response;
    response.success = error.empty();
    response.error_message = error;
    if (!error.empty()) RCLCPP_WARN(logger, "%s", error.c_str());
    try {
      service->send_response(*header, response);
    } catch (const std::exception & failure) {
      RCLCPP_WARN(logger, "a response could not be sent: %s", failure.what());
    }
  };
  const auto loaded = node_wrappers_.find(id);
  if (loaded == node_wrappers_.end()) {
    if (!departing_.ask(id, answer)) answer("No node found with unique_id: " + std::to_string(id));
    return;
  }
  remove_node_from_executor(id);
  departing_.add(id, std::move(loaded->second), answer);
  node_wrappers_.erase(loaded);
}

void ContainerManager::on_load_node(std::shared_ptr<rmw_request_id_t> header,
                                    std::shared_ptr<LoadNode::Request> request,
                                    std::shared_ptr<LoadNode::Response> response) {
  ComponentManager::on_load_node(header, request, response);
  if (response->success && loaded_) loaded_();
}

void ContainerManager::on_list_nodes(std::shared_ptr<rmw_request_id_t> header,
                                     std::shared_ptr<ListNodes::Request> request,
                                     std::shared_ptr<ListNodes::Response> response) {
  ComponentManager::on_list_nodes(header, request, response);
  for (const auto & [id, name] : departing_.list()) {
    response->unique_ids.push_back(id);
    response->full_node_names.push_back(name);
  }
}

std::vector<std::string> ContainerManager::unload_all(std::chrono::nanoseconds limit) {
  for (auto & [id, component] : node_wrappers_) {
    try {
      remove_node_from_executor(id);
    } catch (const std::exception & error) {
      RCLCPP_WARN(get_logger(), "%s", error.what());  // the node was never added to the executor
    }
    departing_.add(id, std::move(component), nullptr);
  }
  node_wrappers_.clear();
  return departing_.finish(limit);
}

}  // namespace takt::rclcpp
