// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "item_poll.hpp"

#include <rcl/error_handling.h>

#include <exception>
#include <utility>

#include "entity.hpp"

namespace takt::rclcpp {

ItemPoll::ItemPoll(::rclcpp::Context::SharedPtr context)
    : context_(std::move(context)), set_(rcl_get_zero_initialized_wait_set()) {
  check(rcl_wait_set_init(&set_, 1, 0, 0, 1, 1, 0, context_->get_rcl_context().get(),
                          rcl_get_default_allocator()),
        "cannot poll for new items");
}

ItemPoll::~ItemPoll() {
  if (rcl_wait_set_fini(&set_) != RCL_RET_OK) rcl_reset_error();
}

template <typename AddT, typename ReadyT>
bool ItemPoll::poll(const AddT & add, const ReadyT & is_ready) noexcept {
  const os::Lock lock(mutex_);
  try {
    if (rcl_wait_set_clear(&set_) == RCL_RET_OK && add(set_) && rcl_wait(&set_, 0) == RCL_RET_OK) {
      return is_ready(set_);
    }
  } catch (const std::exception &) {
    return false;  // thrown by a user-defined waitable
  }
  rcl_reset_error();  // nothing is ready (RCL_RET_TIMEOUT), or the context has been shut down
  return false;
}

bool ItemPoll::has_item(const rcl_subscription_t & subscription) noexcept {
  return poll(
      [&](rcl_wait_set_t & set) {
        return rcl_wait_set_add_subscription(&set, &subscription, nullptr) == RCL_RET_OK;
      },
      [](const rcl_wait_set_t & set) { return set.subscriptions[0] != nullptr; });
}

bool ItemPoll::has_item(const rcl_service_t & service) noexcept {
  return poll(
      [&](rcl_wait_set_t & set) {
        return rcl_wait_set_add_service(&set, &service, nullptr) == RCL_RET_OK;
      },
      [](const rcl_wait_set_t & set) { return set.services[0] != nullptr; });
}

bool ItemPoll::has_item(const rcl_client_t & client) noexcept {
  return poll(
      [&](rcl_wait_set_t & set) {
        return rcl_wait_set_add_client(&set, &client, nullptr) == RCL_RET_OK;
      },
      [](const rcl_wait_set_t & set) { return set.clients[0] != nullptr; });
}

bool ItemPoll::has_item(::rclcpp::Waitable & waitable) noexcept {
  const auto add = [&](rcl_wait_set_t & set) {
    if (waitable.get_number_of_ready_guard_conditions() > 0 ||
        waitable.get_number_of_ready_timers() > 0) {
      return false;
    }
    // The wait set keeps room for at least one entity of each of these kinds, for the other functions.
    const auto room = [](std::size_t count) { return count > 0 ? count : 1; };
    if (rcl_wait_set_resize(&set, room(waitable.get_number_of_ready_subscriptions()), 0, 0,
                            room(waitable.get_number_of_ready_clients()),
                            room(waitable.get_number_of_ready_services()),
                            waitable.get_number_of_ready_events()) != RCL_RET_OK) {
      return false;
    }
    waitable.add_to_wait_set(set);
    return true;
  };
  return poll(add, [&](const rcl_wait_set_t & set) { return waitable.is_ready(set); });
}

bool ItemPoll::has_inside_item(::rclcpp::Waitable & intra_process) noexcept {
  const os::Lock lock(mutex_);
  return intra_process.is_ready(set_);
}

}  // namespace takt::rclcpp
