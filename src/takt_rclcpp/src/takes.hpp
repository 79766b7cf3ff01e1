// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/client.hpp>
#include <rclcpp/service.hpp>
#include <rclcpp/subscription_base.hpp>
#include <rclcpp/waitable.hpp>

#include <cstdint>
#include <functional>

#include "takt_core/executor/entity.hpp"
#include "takt_core/tasks/arrivals.hpp"

namespace takt::rclcpp {

using tasks::Taken;

// They take one of what has come, as rclcpp's executors do, and give it to the callback; the take is
// a section of the executor, `used` what is taken from. What cannot be read is logged where rclcpp logs it. On an executor's
// thread; throw what callbacks throw.

/// From outside the process: plain, loaned or serialized, as the subscription has it. `published` is
/// called after the callback, with the middleware's source time.
Taken take_message(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                   const std::function<void(std::int64_t source_time)> & published);
/// From inside the process.
Taken take_inside(::rclcpp::Waitable & waitable);
Taken take_request(::rclcpp::ServiceBase & service, executor::Entity & used);
Taken take_response(::rclcpp::ClientBase & client, executor::Entity & used);

}  // namespace takt::rclcpp
