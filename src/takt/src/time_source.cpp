// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "time_source.hpp"

#include <rcl/subscription.h>

#include <atomic>
#include <exception>
#include <memory>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>
#include <utility>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/logging.hpp"
#include "takt/message_type.hpp"
#include "takt/qos.hpp"
#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::detail {
namespace {

constexpr const char * use_sim_time = "use_sim_time";
using ClockMessage = rosgraph_msgs::msg::Clock;

std::shared_ptr<rcl_subscription_t> subscribe(NodeBase & node) {
  const auto init = [](rcl_subscription_t * subscription, const rcl_node_t * of) {
    rcl_subscription_options_t options = rcl_subscription_get_default_options();
    options.qos = clock_qos().profile();
    return rcl_subscription_init(subscription, of, message_type<ClockMessage>().support, "/clock",
                                 &options);
  };
  return node.make_entity(rcl_get_zero_initialized_subscription(), init, rcl_subscription_fini,
                          "node '" + std::string(node.name()) + "' cannot subscribe to '/clock'");
}

}  // namespace

/// The subscription to /clock and the thread that takes from it.
class TimeSource::Follower {
 public:
  Follower(NodeBase & node, std::shared_ptr<Clock> clock)
      : clock_(std::move(clock)),
        logger_(rcl_node_get_logger_name(node.rcl_node())),
        subscription_(subscribe(node)) {
    try {
      clock_->activate_ros_time();
      thread_ = os::Thread({.name = "takt.clock", .priority = executor::PriorityPlan().middleware},
                           [this] { run(); });
      const auto arrived = [](const void * self, std::size_t) {
        static_cast<Follower *>(const_cast<void *>(self))->arrived_.post();
      };
      check(rcl_subscription_set_on_new_message_callback(subscription_.get(), arrived, this),
            "cannot listen to '/clock'");
      arrived_.post();  // what came before, whoever was told
    } catch (...) {
      end();
      throw;
    }
  }
  ~Follower() { end(); }
  Follower(const Follower &) = delete;
  Follower & operator=(const Follower &) = delete;

 private:
  void run() noexcept {
    while (!ending_) {
      arrived_.wait();
      ClockMessage message;
      while (!ending_ && take(message)) set(Time(message.clock).nanoseconds());
    }
  }

  bool take(ClockMessage & message) noexcept {
    if (rcl_take(subscription_.get(), &message, nullptr, nullptr) == RCL_RET_OK) return true;
    take_rcl_error();
    return false;
  }

  void set(std::int64_t now_ns) noexcept {
    try {
      clock_->set_ros_time(now_ns);
    } catch (const std::exception & error) {
      // Of a jump callback: it must not stop time.
      TAKT_ERROR(logger_, "setting the time to %lld ns: %s", static_cast<long long>(now_ns),
                 error.what());
    }
  }

  void end() noexcept {
    if (rcl_subscription_set_on_new_message_callback(subscription_.get(), nullptr, nullptr) !=
        RCL_RET_OK) {
      take_rcl_error();
    }
    ending_ = true;
    arrived_.post();
    thread_.join();
    try {
      clock_->deactivate_ros_time();
    } catch (const std::exception & error) {
      TAKT_ERROR(logger_, "returning to the system's time: %s", error.what());
    }
  }

  std::shared_ptr<Clock> clock_;
  Logger logger_;
  std::shared_ptr<rcl_subscription_t> subscription_;
  os::Event arrived_;
  std::atomic<bool> ending_{false};
  os::Thread thread_;
};

TimeSource::TimeSource(std::shared_ptr<NodeBase> node, Parameters & parameters)
    : node_(std::move(node)) {
  if (!parameters.has_parameter(use_sim_time)) parameters.declare_parameter(use_sim_time, false);
  follow(parameters.get_parameter(use_sim_time).as_bool());
  on_change_ = parameters.add_post_set_parameters_callback([this](const auto & changed) {
    for (const Parameter & parameter : changed) {
      if (parameter.get_name() == use_sim_time) follow(parameter.as_bool());
    }
  });
}

TimeSource::~TimeSource() = default;

void TimeSource::follow(bool on) {
  if (on == (follower_ != nullptr)) return;
  follower_ = on ? std::make_unique<Follower>(*node_, node_->clock()) : nullptr;
}

}  // namespace takt::detail
