// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "takt/clock.hpp"
#include "takt/node_base.hpp"
#include "takt/node_options.hpp"
#include "takt/parameters.hpp"
#include "time_source.hpp"

namespace takt::detail {

/// What a node does besides what its user makes: it serves its parameters, follows /clock,
/// describes its types. `parameters` is the node and must outlive this.
class NodeServices {
 public:
  NodeServices(const std::shared_ptr<NodeBase> & node, const NodeOptions & options,
               Parameters & parameters, const std::shared_ptr<Clock> & clock);

 private:
  std::vector<std::shared_ptr<Callback>> handles_;
  TimeSource time_source_;
};

}  // namespace takt::detail
