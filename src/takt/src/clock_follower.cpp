// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "clock_follower.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "rcl_node_options.hpp"
#include "takt/exceptions.hpp"
#include "takt/logging.hpp"
#include "takt/message_type.hpp"
#include "takt/qos.hpp"
#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::detail {
namespace {

std::string name_of_follower() {
  return "_takt_clock_" + std::to_string(getpid());
}

/// Options without the global ROS arguments: the topic name is resolved already, and remappings and
/// parameters for the process's nodes must not affect this one.
NodeOptions node_options_of_follower() {
  NodeOptions options;
  options.use_global_arguments = false;
  options.enable_rosout = false;
  return options;
}

/// Creates the subscription, which must be destroyed before the node.
std::shared_ptr<rcl_subscription_t> subscribe(rcl_node_t & node, const std::string & topic) {
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = clock_qos().profile();
  auto made = std::make_unique<rcl_subscription_t>(rcl_get_zero_initialized_subscription());
  check(rcl_subscription_init(made.get(), &node, message_type<rosgraph_msgs::msg::Clock>().support,
                              topic.c_str(), &options),
        "cannot subscribe to '" + topic + "'");
  return {made.release(), [&node](rcl_subscription_t * subscription) {
            if (rcl_subscription_fini(subscription, &node) != RCL_RET_OK) take_rcl_error();
            delete subscription;
          }};
}

}  // namespace

std::shared_ptr<ClockFollower> ClockFollower::of(NodeBase & node) {
  const std::string topic = node.resolve_name("/clock", false);
  ClockFollowers & followers = node.context()->clock_followers();
  const os::Lock lock(followers.mutex);
  std::weak_ptr<ClockFollower> & known = followers.by_topic[topic];
  std::shared_ptr<ClockFollower> follower = known.lock();
  if (follower == nullptr) {
    follower = {new ClockFollower(node.context(), topic), let_go};
    known = follower;
  }
  return follower;
}

ClockFollower::ClockFollower(std::shared_ptr<Context> context, const std::string & topic)
    : node_(std::move(context), name_of_follower(), "",
            RclNodeOptions(name_of_follower(), node_options_of_follower()).get()),
      subscription_(subscribe(*node_.rcl_node(), topic)) {
  try {
    thread_ = os::Thread({.name = "takt.clock", .priority = executor::PriorityPlan().middleware},
                         [this] { run(); });
    const auto arrived = [](const void * self, std::size_t) {
      static_cast<ClockFollower *>(const_cast<void *>(self))->arrived_.post();
    };
    check(rcl_subscription_set_on_new_message_callback(subscription_.get(), arrived, this),
          "cannot receive notifications of '" + topic + "'");
    arrived_.post();  // take messages that arrived before the notification was set
  } catch (...) {
    end();
    throw;
  }
}

ClockFollower::~ClockFollower() {
  end();
}

void ClockFollower::let_go(ClockFollower * follower) noexcept {
  if (follower->thread_.tid() == os::thread_id()) {
    follower->ends_itself_ = follower->ending_ = true;
  } else {
    delete follower;
  }
}

void ClockFollower::end() noexcept {
  if (rcl_subscription_set_on_new_message_callback(subscription_.get(), nullptr, nullptr) !=
      RCL_RET_OK) {
    take_rcl_error();
  }
  ending_ = true;
  arrived_.post();
  thread_.join();
}

// ---- followers ----------------------------------------------------------------------------------

void ClockFollower::add(const std::shared_ptr<Clock> & clock, const Logger & logger) {
  // While this is held, the thread cannot set this clock. It either will do so later, or has stored
  // the time that is read here before.
  const auto changes = clock->hold_changes();
  std::optional<std::int64_t> now_ns;
  {
    const os::Lock lock(mutex_);
    auto members = std::make_shared<Members>(*members_);
    members->push_back({clock, logger});
    members_ = std::move(members);
    now_ns = now_ns_;
  }
  try {
    clock->activate_ros_time();
    if (now_ns) clock->set_ros_time(*now_ns);
  } catch (...) {
    remove(*clock);
    throw;
  }
}

void ClockFollower::remove(Clock & clock) noexcept {
  const auto changes = clock.hold_changes();
  std::optional<Logger> logger;
  {
    const os::Lock lock(mutex_);
    auto members = std::make_shared<Members>(*members_);
    const auto found = std::find_if(members->begin(), members->end(), [&clock](const Member & one) {
      return one.clock.get() == &clock;
    });
    logger = found->logger;
    members->erase(found);
    members_ = std::move(members);
  }
  try {
    clock.deactivate_ros_time();
  } catch (const std::exception & error) {
    TAKT_ERROR(*logger, "on the change to system time: %s", error.what());
  } catch (...) {
    TAKT_ERROR(*logger, "on the change to system time: an exception of unknown type");
  }
}

// ---- the thread ---------------------------------------------------------------------------------

void ClockFollower::run() noexcept {
  while (!ending_) {
    arrived_.wait();
    ClockMessage message;
    while (!ending_ && take(message)) tell(Time(message.clock).nanoseconds());
  }
  if (ends_itself_) delete this;
}

bool ClockFollower::take(ClockMessage & message) noexcept {
  if (rcl_take(subscription_.get(), &message, nullptr, nullptr) == RCL_RET_OK) return true;
  take_rcl_error();
  return false;
}

void ClockFollower::tell(std::int64_t now_ns) noexcept {
  std::shared_ptr<const Members> members;
  {
    const os::Lock lock(mutex_);
    now_ns_ = now_ns;
    members = members_;
  }
  for (const Member & member : *members) {
    try {
      const auto changes = member.clock->hold_changes();
      // Skip a clock that has been removed in the meantime.
      if (member.clock->ros_time_is_active()) member.clock->set_ros_time(now_ns);
    } catch (const std::exception & error) {
      // Thrown by a jump callback, which must not stop simulated time.
      TAKT_ERROR(member.logger, "on setting the time to %lld ns: %s",
                 static_cast<long long>(now_ns), error.what());
    } catch (...) {
      TAKT_ERROR(member.logger, "on setting the time to %lld ns: an exception of unknown type",
                 static_cast<long long>(now_ns));
    }
  }
}

}  // namespace takt::detail
