// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "takt/node_base.hpp"
#include "takt/time.hpp"

namespace takt::detail {

/// Blocks until `condition` returns true, `timeout` has passed (negative: no limit) or the context is shut
/// down. The condition is evaluated whenever the ROS graph changes. Returns whether it is true.
bool wait_for_graph(NodeBase & node, Duration timeout, const std::function<bool()> & condition);

}  // namespace takt::detail
