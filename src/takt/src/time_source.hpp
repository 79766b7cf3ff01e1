// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "clock_follower.hpp"
#include "takt/node_base.hpp"
#include "takt/parameters.hpp"

namespace takt::detail {

/// Declares the node's parameter `use_sim_time`, and makes the node's clock follow /clock while it is
/// true.
class TimeSource {
 public:
  TimeSource(std::shared_ptr<NodeBase> node, Parameters & parameters);
  ~TimeSource();
  TimeSource(const TimeSource &) = delete;
  TimeSource & operator=(const TimeSource &) = delete;

 private:
  void follow(bool on);

  std::shared_ptr<NodeBase> node_;
  std::shared_ptr<ClockFollower> follower_;
  Parameters::Handle on_change_;
};

}  // namespace takt::detail
