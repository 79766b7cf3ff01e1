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

// These functions take one item, as rclcpp's executors do, and call the callback with it. Taking it is a
// middleware section of the executor, in which the entity `used` is used. An item that cannot be taken is
// logged, as rclcpp does. To be called on a thread of the executor; they throw what callbacks throw.

/// Takes a message from outside the process: plain, loaned or serialized, as the subscription requires.
/// `published` is called after the callback, with the middleware's source timestamp in ns.
Taken take_message(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                   const std::function<void(std::int64_t source_time)> & published);
/// Takes a message from inside the process, by the subscription's intra-process waitable.
Taken take_inside(::rclcpp::Waitable & waitable);
Taken take_request(::rclcpp::ServiceBase & service, executor::Entity & used);
Taken take_response(::rclcpp::ClientBase & client, executor::Entity & used);

}  // namespace takt::rclcpp
