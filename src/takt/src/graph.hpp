// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "takt/node_base.hpp"
#include "takt/time.hpp"

namespace takt::detail {

/// Blocks until `condition` holds, looking again whenever the graph of nodes and topics changes, at
/// most `timeout` (negative: for ever), or until shutdown. Returns whether it holds.
bool wait_for_graph(NodeBase & node, Duration timeout, const std::function<bool()> & condition);

}  // namespace takt::detail
