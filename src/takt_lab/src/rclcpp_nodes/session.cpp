// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/session.hpp"

#include <rcl/timer.h>

#include <rclcpp/experimental/executors/events_executor/events_executor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_rclcpp/scheduling_executor.hpp>

#include "error.hpp"
#include "rclcpp_nodes/executors.hpp"

namespace takt::lab {
namespace {

/// Creates the executor without a live view, as for takt's own nodes in all measurements.
std::shared_ptr<::rclcpp::Executor> make_executor(const std::string & name,
                                                  SchedulingOptions options) {
  options.diagnostics.enabled = false;
  if (name == takts_for_rclcpp) return std::make_shared<rclcpp::SchedulingExecutor>(options);
  if (name == "rclcpp-multi") return std::make_shared<::rclcpp::executors::MultiThreadedExecutor>();
  if (name == "rclcpp-events") {
    return std::make_shared<::rclcpp::experimental::executors::EventsExecutor>();
  }
  return std::make_shared<::rclcpp::executors::SingleThreadedExecutor>();
}

}  // namespace

RclcppSession::RclcppSession(const std::string & executor, const SchedulingOptions & options,
                             std::optional<std::size_t> domain) {
  ::rclcpp::InitOptions init;
  if (domain) init.set_domain_id(*domain);
  ::rclcpp::init(0, nullptr, init, ::rclcpp::SignalHandlerOptions::None);
  executor_ = make_executor(executor, options);
  controls_ = dynamic_cast<SchedulingControls *>(executor_.get());
}

RclcppSession::~RclcppSession() {
  executor_.reset();
  ::rclcpp::shutdown();
}

void begin_at(const ::rclcpp::TimerBase::SharedPtr & timer, model::Time first) {
  const rcl_timer_t * handle = timer->get_timer_handle().get();
  // rcl can only start a timer one period from now, so the period is changed temporarily.
  std::int64_t period = 0;
  const bool set = rcl_timer_exchange_period(handle, first - os::now(), &period) == RCL_RET_OK;
  timer->reset();
  std::int64_t none = 0;
  if (!set || rcl_timer_exchange_period(handle, period, &none) != RCL_RET_OK) {
    throw Error("cannot set rclcpp's timers to a common grid");
  }
}

std::uint64_t index_of(model::Time expected, model::Time first, model::Duration period) noexcept {
  const model::Duration since = expected - first + period / 2;
  return since > 0 ? static_cast<std::uint64_t>(since / period) : 0;
}

}  // namespace takt::lab
