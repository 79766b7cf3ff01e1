// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp/rclcpp_timers.hpp"

#include <algorithm>

#include "error.hpp"

#ifdef TAKT_LAB_RCLCPP

#include <rcl/timer.h>

#include <chrono>
#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_rclcpp/scheduling_executor.hpp>

#endif

namespace takt::lab {

const std::vector<std::string> & rclcpp_executors() {
  static const std::vector<std::string> names{"rclcpp-single", "rclcpp-multi", "rclcpp-events",
                                              "takt-rclcpp"};
  return names;
}

bool is_rclcpp_executor(const std::string & name) {
  const auto & names = rclcpp_executors();
  return std::find(names.begin(), names.end(), name) != names.end();
}

#ifdef TAKT_LAB_RCLCPP

namespace {

std::shared_ptr<::rclcpp::Executor> make_executor(const std::string & name,
                                                  const std::string & policy, int cpu) {
  if (name == "rclcpp-single")
    return std::make_shared<::rclcpp::executors::SingleThreadedExecutor>();
  if (name == "rclcpp-multi") return std::make_shared<::rclcpp::executors::MultiThreadedExecutor>();
  if (name == "rclcpp-events") {
    return std::make_shared<::rclcpp::experimental::executors::EventsExecutor>();
  }
  return std::make_shared<takt::rclcpp::SchedulingExecutor>(
      takt::SchedulingOptions{.policy = policy, .cpus = {cpu}});
}

}  // namespace

class RclcppTimers::Impl {
 public:
  Impl(const std::string & name, const std::string & policy, int cpu, std::uint32_t nodes) {
    ::rclcpp::init(0, nullptr, ::rclcpp::InitOptions(), ::rclcpp::SignalHandlerOptions::None);
    executor = make_executor(name, policy, cpu);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      nodes_.push_back(std::make_shared<::rclcpp::Node>("timers" + std::to_string(i)));
      executor->add_node(nodes_.back());
    }
  }
  ~Impl() {
    timers_.clear();
    executor.reset();
    nodes_.clear();
    ::rclcpp::shutdown();
  }

  void add(model::Duration period, model::Duration phase, TaskRecord & record) {
    const auto & node = nodes_[timers_.size() % nodes_.size()];
    auto & timer = *timers_.emplace_back(std::make_unique<Timer>(Timer{period, phase, 0, nullptr}));
    timer.handle = node->create_wall_timer(
        std::chrono::nanoseconds(period), [&timer, &record](const ::rclcpp::TimerInfo & info) {
          const model::Time now = os::now();
          const model::Time since =
              info.expected_call_time.nanoseconds() - timer.first + timer.period / 2;
          record.begin(since > 0 ? static_cast<std::uint64_t>(since / timer.period) : 0, now);
          record.finish_unmeasured();
        });
  }

  void set_start(model::Time t0) {
    for (const auto & timer : timers_) {
      timer->first = t0 + timer->phase;
      // rcl knows only "one period from now".
      const rcl_timer_t * handle = timer->handle->get_timer_handle().get();
      std::int64_t old = 0;
      const bool set =
          rcl_timer_exchange_period(handle, timer->first - os::now(), &old) == RCL_RET_OK;
      timer->handle->reset();
      if (!set || rcl_timer_exchange_period(handle, timer->period, &old) != RCL_RET_OK) {
        throw Error("rclcpp's timers cannot be set to a common grid");
      }
    }
  }

  std::shared_ptr<::rclcpp::Executor> executor;

 private:
  struct Timer {
    model::Duration period;
    model::Duration phase;
    model::Time first;
    ::rclcpp::TimerBase::SharedPtr handle;
  };
  std::vector<::rclcpp::Node::SharedPtr> nodes_;
  std::vector<std::unique_ptr<Timer>> timers_;
};

RclcppTimers::RclcppTimers(const std::string & executor, const std::string & policy, int cpu,
                           std::uint32_t nodes)
    : impl_(std::make_unique<Impl>(executor, policy, cpu, nodes)) {}
RclcppTimers::~RclcppTimers() = default;

void RclcppTimers::add(model::Duration period, model::Duration phase, TaskRecord & record) {
  impl_->add(period, phase, record);
}
void RclcppTimers::set_start(model::Time t0) {
  impl_->set_start(t0);
}
void RclcppTimers::spin() {
  impl_->executor->spin();
}
void RclcppTimers::cancel() {
  impl_->executor->cancel();
}
executor::Grants RclcppTimers::grants() const {
  const auto * takts =
      dynamic_cast<const takt::rclcpp::SchedulingExecutor *>(impl_->executor.get());
  return takts != nullptr ? takts->grants() : executor::Grants();
}
std::string RclcppTimers::rmw() {
  return rmw_get_implementation_identifier();
}

#else

class RclcppTimers::Impl {};

RclcppTimers::RclcppTimers(const std::string & executor, const std::string &, int, std::uint32_t) {
  throw Error("executor " + executor +
              ": takt was built where there is no rclcpp; source a ROS 2 that has it, and build");
}
RclcppTimers::~RclcppTimers() = default;
void RclcppTimers::add(model::Duration, model::Duration, TaskRecord &) {}
void RclcppTimers::set_start(model::Time) {}
void RclcppTimers::spin() {}
void RclcppTimers::cancel() {}
executor::Grants RclcppTimers::grants() const {
  return {};
}
std::string RclcppTimers::rmw() {
  return {};
}

#endif

}  // namespace takt::lab
