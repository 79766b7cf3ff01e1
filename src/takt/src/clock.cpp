// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/clock.hpp"

#include <rcl/allocator.h>

#include <string>
#include <utility>
#include <vector>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

rcl_clock_type_t to_rcl(ClockType type) {
  switch (type) {
    case ClockType::system:
      return RCL_SYSTEM_TIME;
    case ClockType::ros:
      return RCL_ROS_TIME;
    case ClockType::steady:
      return RCL_STEADY_TIME;
  }
  throw Error("no such type of clock");
}

struct Listener {
  bool concerned_by(const TimeUpdate & update) const noexcept {
    if (every_update) return true;
    if (update.change != ClockChange::none) return threshold.on_clock_change;
    return (threshold.min_forward > Duration::zero() && update.delta >= threshold.min_forward) ||
           (threshold.min_backward < Duration::zero() && update.delta <= threshold.min_backward);
  }

  bool every_update = false;
  JumpThreshold threshold;
  std::function<void()> before;
  std::function<void(const TimeUpdate &)> after;
};

}  // namespace

struct Clock::State {
  explicit State(ClockType type) {
    rcl_allocator_t allocator = rcl_get_default_allocator();
    detail::check(rcl_clock_init(to_rcl(type), &clock, &allocator), "cannot make a clock");
  }
  ~State() {
    if (rcl_clock_fini(&clock) != RCL_RET_OK) detail::take_rcl_error();
  }
  State(const State &) = delete;
  State & operator=(const State &) = delete;

  std::int64_t now() noexcept {
    rcl_time_point_value_t value = 0;
    if (rcl_clock_get_now(&clock, &value) != RCL_RET_OK) detail::take_rcl_error();
    return value;
  }

  /// Makes a change of ROS time and calls whom it concerns, before and after.
  template <typename Change>
  void change(TimeUpdate update, Change && make) {
    std::vector<std::shared_ptr<Listener>> concerned;
    for (const auto & weak : listeners) {
      auto listener = weak.lock();
      if (listener != nullptr && listener->concerned_by(update)) concerned.push_back(listener);
    }
    for (const auto & listener : concerned) {
      if (listener->before) listener->before();
    }
    detail::check(make(), "cannot change ROS time");
    update.now_ns = now();
    for (const auto & listener : concerned) {
      if (listener->after) listener->after(update);
    }
  }

  static Handle add(const std::shared_ptr<State> & state, Listener listener) {
    auto inner = std::make_shared<Listener>(std::move(listener));
    const std::lock_guard lock(state->mutex);
    state->listeners.push_back(inner);
    Listener * const raw = inner.get();
    return {raw, [inner = std::move(inner), state](Listener *) mutable {
              const std::lock_guard again(state->mutex);
              inner.reset();
              std::erase_if(state->listeners, [](const auto & weak) { return weak.expired(); });
            }};
  }

  rcl_clock_t clock{};
  // Recursive: a function that is called may register others or let go of itself.
  std::recursive_mutex mutex;
  std::vector<std::weak_ptr<Listener>> listeners;
};

Clock::Clock(ClockType type) : type_(type), state_(std::make_shared<State>(type)) {}

std::int64_t Clock::now_ns() const noexcept {
  return state_->now();
}

bool Clock::ros_time_is_active() const noexcept {
  if (type_ != ClockType::ros) return false;
  bool active = false;
  if (rcl_is_enabled_ros_time_override(&state_->clock, &active) != RCL_RET_OK) {
    detail::take_rcl_error();
  }
  return active;
}

Clock::Handle Clock::create_jump_callback(std::function<void()> before,
                                          std::function<void(const TimeUpdate &)> after,
                                          const JumpThreshold & threshold) {
  if (threshold.min_forward < Duration::zero() || threshold.min_backward > Duration::zero()) {
    throw Error("a jump's min_forward is 0 or above, its min_backward 0 or below");
  }
  return State::add(state_, {.every_update = false,
                             .threshold = threshold,
                             .before = std::move(before),
                             .after = std::move(after)});
}

Clock::Handle Clock::on_update(std::function<void(const TimeUpdate &)> function) {
  return State::add(
      state_, {.every_update = true, .threshold = {}, .before = {}, .after = std::move(function)});
}

void Clock::activate_ros_time() {
  const std::lock_guard lock(state_->mutex);
  require_ros_time();
  if (ros_time_is_active()) return;
  state_->change({.change = ClockChange::activated},
                 [this] { return rcl_enable_ros_time_override(&state_->clock); });
}

void Clock::deactivate_ros_time() {
  const std::lock_guard lock(state_->mutex);
  require_ros_time();
  if (!ros_time_is_active()) return;
  state_->change({.change = ClockChange::deactivated},
                 [this] { return rcl_disable_ros_time_override(&state_->clock); });
}

void Clock::set_ros_time(std::int64_t now_ns) {
  const std::lock_guard lock(state_->mutex);
  require_ros_time();
  if (!ros_time_is_active()) {
    throw Error("ROS time is not active on this clock: it cannot be set");
  }
  state_->change({.delta = Duration(now_ns - state_->now())},
                 [&] { return rcl_set_ros_time_override(&state_->clock, now_ns); });
}

void Clock::require_ros_time() const {
  if (type_ == ClockType::ros) return;
  throw Error(std::string("a clock of ") + to_string(type_) + " time does not follow /clock");
}

std::shared_ptr<rcl_clock_t> Clock::rcl_clock() const noexcept {
  return {state_, &state_->clock};
}

std::recursive_mutex & Clock::mutex() const noexcept {
  return state_->mutex;
}

}  // namespace takt
