// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Replaces everything that needs rclcpp in builds without it.
#include "error.hpp"
#include "rclcpp_nodes/rclcpp_interference.hpp"
#include "rclcpp_nodes/rclcpp_run.hpp"
#include "rclcpp_nodes/rclcpp_timers.hpp"
#include "rclcpp_nodes/rclcpp_transport.hpp"

namespace takt::lab {
namespace {

[[noreturn]] void refuse(const std::string & executor) {
  throw Error("executor " + executor + ": " + lacks_rclcpp());
}

}  // namespace

std::unique_ptr<RclcppTimers> make_rclcpp_timers(const std::string & executor, const std::string &,
                                                 int, std::uint32_t) {
  refuse(executor);
}

std::unique_ptr<RclcppRun> make_rclcpp_run(const std::string & executor, const SchedulingOptions &,
                                           const Spec &, const Work &, model::Duration) {
  refuse(executor);
}

std::unique_ptr<Transport> make_rclcpp_transport(const std::string & executor,
                                                 const TransportOptions &) {
  refuse(executor);
}

std::unique_ptr<InterferenceScene> make_rclcpp_scene(const Interference &, int, ProbeNotes &) {
  refuse("takt-rclcpp");
}

const char * lacks_rclcpp() noexcept {
  return "takt was built without rclcpp; build it with rclcpp: `OVERLAY=/its/prefix make build`, "
         "or colcon on a sourced ROS 2";
}

}  // namespace takt::lab
