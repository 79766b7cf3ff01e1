// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "waiter.hpp"

#include <rcl/error_handling.h>
#include <rcl/timer.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <rclcpp/exceptions.hpp>
#include <rclcpp/utilities.hpp>

namespace takt::rclcpp {
namespace {

/// The longest wait: the end of simulated time is not announced, and may be noticed this much later.
constexpr std::int64_t look_every = 1'000'000'000;

void check(rcl_ret_t code) {
  rclcpp::check(code, "takt.clock");
}

}  // namespace

Waiter::Waiter(::rclcpp::Context::SharedPtr context, const Entities & entities,
               std::function<void(const std::string &)> log)
    : context_(std::move(context)),
      entities_(entities),
      log_(std::move(log)),
      interrupt_(context_),
      set_(rcl_get_zero_initialized_wait_set()) {
  check(rcl_wait_set_init(&set_, 0, 1, 0, 0, 0, 0, context_->get_rcl_context().get(),
                          rcl_get_default_allocator()));
}

Waiter::~Waiter() {
  stop();
  if (rcl_wait_set_fini(&set_) != RCL_RET_OK) rcl_reset_error();
}

void Waiter::start() {
  const os::Lock lock(mutex_);
  if (thread_.joinable() || entities_.waiting().empty()) return;
  ending_.store(false);
  thread_ = os::Thread({.name = "takt.clock"}, [this] { run(); });
}

void Waiter::stop() {
  const os::Lock lock(mutex_);
  ending_.store(true);
  interrupt();
  thread_.join();
}

void Waiter::interrupt() noexcept {
  try {
    interrupt_.trigger();
  } catch (const std::exception &) {
    return;  // the context has been shut down
  }
}

void Waiter::run() noexcept {
  try {
    while (!ending_.load() && ::rclcpp::ok(context_)) wait();
  } catch (const std::exception & error) {
    if (!ending_.load() && ::rclcpp::ok(context_)) {
      log_(std::string("stopped serving simulated time and waitables without notifications: ") +
           error.what());
    }
  }
}

void Waiter::wait() {
  const Entities::Waiting waiting = entities_.waiting();
  std::vector<::rclcpp::TimerBase::SharedPtr> timers;
  std::vector<std::pair<std::shared_ptr<WaitableEntity>, ::rclcpp::Waitable::SharedPtr>> waitables;
  std::size_t guards = 1;
  std::size_t subscriptions = 0;
  std::size_t clocks = 0;
  std::size_t clients = 0;
  std::size_t services = 0;
  std::size_t events = 0;
  for (const auto & entity : waiting.timers) {
    if (auto timer = entity->timer()) timers.push_back(std::move(timer));
  }
  for (const auto & entity : waiting.waitables) {
    auto waitable = entity->waitable();
    if (waitable == nullptr) continue;
    guards += waitable->get_number_of_ready_guard_conditions();
    subscriptions += waitable->get_number_of_ready_subscriptions();
    clocks += waitable->get_number_of_ready_timers();
    clients += waitable->get_number_of_ready_clients();
    services += waitable->get_number_of_ready_services();
    events += waitable->get_number_of_ready_events();
    waitables.emplace_back(entity, std::move(waitable));
  }
  check(rcl_wait_set_clear(&set_));
  check(rcl_wait_set_resize(&set_, subscriptions, guards + timers.size(), clocks, clients, services,
                            events));
  check(rcl_wait_set_add_guard_condition(&set_, &interrupt_.get_rcl_guard_condition(), nullptr));
  for (const auto & timer : timers) {
    // Triggered when the clock reaches the instant at which the timer is due.
    auto * guard = rcl_timer_get_guard_condition(timer->get_timer_handle().get());
    check(rcl_wait_set_add_guard_condition(&set_, guard, nullptr));
  }
  const auto attempt = [this](WaitableEntity & entity, const auto & function) {
    try {
      function();
    } catch (const std::exception & error) {
      entity.give_up();
      log_("'" + entity.id() + "' cannot be waited for: " + error.what());
    }
  };
  for (const auto & [entity, waitable] : waitables) {
    // Throws if the waitable is in another wait set, such as that of rclcpp's own ways to spin.
    attempt(*entity, [&waitable = waitable, this] { waitable->add_to_wait_set(set_); });
  }
  const rcl_ret_t code = rcl_wait(&set_, timers.empty() ? -1 : look_every);
  if (code != RCL_RET_OK) {
    rcl_reset_error();
    if (code != RCL_RET_TIMEOUT) ::rclcpp::exceptions::throw_from_rcl_error(code, "cannot wait");
  }
  for (const auto & entity : waiting.timers) entity->tick();
  for (const auto & [entity, waitable] : waitables) {
    if (!entity->waits()) continue;
    attempt(*entity, [&entity = entity, &waitable = waitable, this] {
      if (waitable->is_ready(set_)) entity->was_ready();
    });
  }
}

}  // namespace takt::rclcpp
