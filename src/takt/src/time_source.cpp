// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "time_source.hpp"

#include <utility>

namespace takt::detail {
namespace {

constexpr const char * use_sim_time = "use_sim_time";

}  // namespace

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

TimeSource::~TimeSource() {
  on_change_.reset();
  follow(false);
}

void TimeSource::follow(bool on) {
  if (on == (follower_ != nullptr)) return;
  if (on) {
    auto follower = ClockFollower::of(*node_);
    follower->add(node_->clock(), Logger(rcl_node_get_logger_name(node_->rcl_node())));
    follower_ = std::move(follower);
  } else {
    follower_->remove(*node_->clock());
    follower_.reset();
  }
}

}  // namespace takt::detail
