// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt_msgs/srv/echo.hpp>

namespace takt::testing {

inline std_msgs::msg::UInt64 number(std::uint64_t value) {
  std_msgs::msg::UInt64 message;
  message.data = value;
  return message;
}

inline std::shared_ptr<takt_msgs::srv::Echo::Request> request(std::uint64_t sequence) {
  auto made = std::make_shared<takt_msgs::srv::Echo::Request>();
  made->sequence = sequence;
  return made;
}

}  // namespace takt::testing
