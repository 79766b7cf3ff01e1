// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/node_interfaces/node_base_interface.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// What nodes of this process publish. rclcpp keeps no list of it, so the middleware's graph is asked,
/// which some bring up to date a moment after a publisher was made: rmw_cyclonedds on a thread of its
/// own, in the order in which publishers were made. So who asks waits for one that is made for it.
/// Thread-safe.
class Graph {
 public:
  using Node = ::rclcpp::node_interfaces::NodeBaseInterface;

  /// Publishers may have come since. Neither blocks nor allocates.
  void changed() noexcept { version_.fetch_add(1); }
  /// Topics, resolved. Allocates; where it must wait, for some milliseconds, and for 2 s at most.
  std::vector<std::string> published_by(Node & node);

 private:
  void catch_up(Node & node);

  std::atomic<std::uint64_t> version_ = 1;
  os::Mutex mutex_{os::LockRank::graph};  // one catches up at a time, and others wait for it
  std::uint64_t seen_ TAKT_GUARDED_BY(mutex_) = 0;  // of the versions
};

}  // namespace takt::rclcpp
