// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/node_interfaces/node_base_interface.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// The topics that nodes of this process publish. rclcpp keeps no list of them, so the middleware's graph
/// is queried. Some middlewares update it only some time after a publisher was created: rmw_cyclonedds
/// on a thread of its own, in the order of creation. Therefore a query creates a marker publisher and
/// waits until the graph contains it. Thread-safe.
class Graph {
 public:
  using Node = ::rclcpp::node_interfaces::NodeBaseInterface;

  /// Notes that publishers may have been created. Neither blocks nor allocates.
  void changed() noexcept { version_.fetch_add(1); }
  /// Returns the topics that a node publishes, expanded and remapped. Allocates. May block, usually for
  /// some milliseconds and for at most 2 s.
  std::vector<std::string> published_by(Node & node);

 private:
  void catch_up(Node & node);

  std::atomic<std::uint64_t> version_ = 1;
  os::Mutex mutex_{os::LockRank::graph};  // held while waiting for the graph to be up to date
  std::uint64_t included_version_ TAKT_GUARDED_BY(mutex_) = 0;  // by the graph
};

}  // namespace takt::rclcpp
