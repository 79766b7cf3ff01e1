// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt/message_pool.hpp"
#include "takt/node_base.hpp"

namespace takt::detail {

/// Warns once in the node's log where somebody keeps messages: when the first is dropped, or, as a
/// few beyond what the queues hold are nothing unusual, when the pool has grown to more than twice
/// what was reserved. `whose`: for people. Allocates; what it returns does not.
MessagePool::Exhausted tell_of_exhausted_pool(NodeBase & node, const std::string & whose,
                                              PoolRule rule);

}  // namespace takt::detail
