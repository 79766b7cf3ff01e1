// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "takt/node_base.hpp"
#include "takt/node_options.hpp"
#include "takt/parameters.hpp"
#include "takt_core/os/lock.hpp"
#include "time_source.hpp"

namespace takt::detail {

/// The built-in services of a node: parameters, /clock, type descriptions, logger levels and requests for
/// scenarios. `parameters` is the node itself and must outlive this object.
class NodeServices {
 public:
  NodeServices(const std::shared_ptr<NodeBase> & node, const NodeOptions & options,
               Parameters & parameters);

  /// Creates the service `~/set_scenario`, unless it exists or the node's options disable it. Any thread.
  void serve_scenarios();

 private:
  std::shared_ptr<NodeBase> node_;
  bool may_serve_scenarios_;
  os::Mutex mutex_{os::LockRank::node_services};
  std::shared_ptr<Callback> scenario_service_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Callback>> handles_;
  TimeSource time_source_;
};

}  // namespace takt::detail
