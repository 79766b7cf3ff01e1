// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "logger_services.hpp"

#include <rcl_interfaces/srv/get_logger_levels.hpp>
#include <rcl_interfaces/srv/set_logger_levels.hpp>

#include "takt/exceptions.hpp"
#include "takt/logger.hpp"
#include "takt/service.hpp"

namespace takt::detail {

std::vector<std::shared_ptr<Callback>> make_logger_services(
    const std::shared_ptr<NodeBase> & node) {
  using rcl_interfaces::srv::GetLoggerLevels;
  using rcl_interfaces::srv::SetLoggerLevels;
  const auto get = [](const GetLoggerLevels::Request & request,
                      GetLoggerLevels::Response & response) {
    for (const auto & name : request.names) {
      rcl_interfaces::msg::LoggerLevel level;
      level.name = name;
      level.level = static_cast<std::uint32_t>(Logger(name).get_effective_level());
      response.levels.push_back(level);
    }
  };
  const auto set = [](const SetLoggerLevels::Request & request,
                      SetLoggerLevels::Response & response) {
    for (const auto & level : request.levels) {
      rcl_interfaces::msg::SetLoggerLevelsResult result;
      try {
        Logger(level.name).set_level(static_cast<Severity>(level.level));
        result.successful = true;
      } catch (const Error & error) {
        result.successful = false;
        result.reason = error.what();
      }
      response.results.push_back(result);
    }
  };
  return {node->add(std::make_shared<Service<GetLoggerLevels>>(node, "~/get_logger_levels", get,
                                                               ServiceOptions{})),
          node->add(std::make_shared<Service<SetLoggerLevels>>(node, "~/set_logger_levels", set,
                                                               ServiceOptions{}))};
}

}  // namespace takt::detail
