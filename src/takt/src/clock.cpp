// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/clock.hpp"

#include <rcl/allocator.h>

#include <string>
#include <utility>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt_core/os/lock.hpp"

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
  throw Error("unknown clock type");
}

/// Registered functions for clock changes. `calling` is held while they are called, and is taken to remove
/// them, which thus waits for a call in progress.
struct Listener {
  Listener(bool every, const JumpThreshold & jumps, std::function<void()> first,
           std::function<void(const TimeUpdate &)> then)
      : every_update(every), threshold(jumps), before(std::move(first)), after(std::move(then)) {}

  bool concerned_by(const TimeUpdate & update) const noexcept {
    if (every_update) return true;
    if (update.change != ClockChange::none) return threshold.on_clock_change;
    return (threshold.min_forward > Duration::zero() && update.delta >= threshold.min_forward) ||
           (threshold.min_backward < Duration::zero() && update.delta <= threshold.min_backward);
  }

  template <typename Function, typename... Arguments>
  void call(const Function & function, const Arguments &... arguments) {
    const os::Lock lock(calling);
    if (!ended && function) function(arguments...);
  }

  void end() {
    const os::Lock lock(calling);
    ended = true;
  }

  const bool every_update;
  const JumpThreshold threshold;
  const std::function<void()> before;
  const std::function<void(const TimeUpdate &)> after;
  // Recursive, because a function may destroy its own registration.
  os::RecursivePiMutex calling{os::LockRank::user_functions};
  bool ended TAKT_GUARDED_BY(calling) = false;
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

  /// Makes a change of ROS time and calls the functions registered for it, before and after. The locks
  /// held during the calls are not needed to register or remove functions, or to read the time.
  template <typename Change>
  void change(TimeUpdate update, Change && make) TAKT_REQUIRES(changing) {
    std::vector<std::shared_ptr<Listener>> concerned = std::move(memory);
    {
      const os::Lock lock(list_mutex);
      for (const auto & listener : listeners) {
        if (listener->concerned_by(update)) concerned.push_back(listener);
      }
    }
    for (const auto & listener : concerned) listener->call(listener->before);
    {
      const os::Lock lock(rcl_mutex);
      const rcl_ret_t code = make();
      // Checked first, because composing the text allocates.
      if (code != RCL_RET_OK) detail::check(code, "cannot change ROS time");
    }
    update.now_ns = now();
    for (const auto & listener : concerned) listener->call(listener->after, update);
    concerned.clear();
    memory = std::move(concerned);
  }

  static Handle add(const std::shared_ptr<State> & state,
                    const std::shared_ptr<Listener> & listener) {
    const os::Lock lock(state->list_mutex);
    state->listeners.push_back(listener);
    return {listener.get(), [listener, state](void *) {
              listener->end();
              const os::Lock again(state->list_mutex);
              std::erase(state->listeners, listener);
            }};
  }

  rcl_clock_t clock{};
  os::PiMutex rcl_mutex{os::LockRank::clock_rcl};  // for rcl's functions that are not thread-safe
  // Held throughout a change. Recursive, because a registered function may make the next change.
  os::RecursivePiMutex changing{os::LockRank::user_functions};
  // The list used by the last change, kept to reuse its memory.
  std::vector<std::shared_ptr<Listener>> memory TAKT_GUARDED_BY(changing);
  os::PiMutex list_mutex{os::LockRank::clock_list};
  std::vector<std::shared_ptr<Listener>> listeners TAKT_GUARDED_BY(list_mutex);
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
    throw Error("a jump threshold's min_forward must be at least 0, its min_backward at most 0");
  }
  return State::add(
      state_, std::make_shared<Listener>(false, threshold, std::move(before), std::move(after)));
}

Clock::Handle Clock::on_update(std::function<void(const TimeUpdate &)> function) {
  return State::add(
      state_, std::make_shared<Listener>(true, JumpThreshold(), nullptr, std::move(function)));
}

void Clock::activate_ros_time() {
  const os::Lock lock(state_->changing);
  require_ros_time();
  if (ros_time_is_active()) return;
  state_->change({.change = ClockChange::activated},
                 [this] { return rcl_enable_ros_time_override(&state_->clock); });
}

void Clock::deactivate_ros_time() {
  const os::Lock lock(state_->changing);
  require_ros_time();
  if (!ros_time_is_active()) return;
  state_->change({.change = ClockChange::deactivated},
                 [this] { return rcl_disable_ros_time_override(&state_->clock); });
}

void Clock::set_ros_time(std::int64_t now_ns) {
  const os::Lock lock(state_->changing);
  require_ros_time();
  if (!ros_time_is_active()) {
    throw Error("the time cannot be set: simulated time is not active on this clock");
  }
  state_->change({.delta = Duration(now_ns - state_->now())},
                 [&] { return rcl_set_ros_time_override(&state_->clock, now_ns); });
}

std::unique_lock<os::RecursivePiMutex> Clock::hold_changes() const {
  return std::unique_lock(state_->changing);
}

void Clock::require_ros_time() const {
  if (type_ == ClockType::ros) return;
  throw Error(std::string("a clock of ") + to_string(type_) + " time does not follow /clock");
}

std::shared_ptr<rcl_clock_t> Clock::rcl_clock() const noexcept {
  return {state_, &state_->clock};
}

os::PiMutex & Clock::mutex() const noexcept {
  return state_->rcl_mutex;
}

}  // namespace takt
