// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt/message_pool.hpp"
#include "takt/node_base.hpp"

namespace takt::detail {

/// Returns a function for MessagePool that logs one warning if readers keep messages: when the first
/// message is dropped, or when the pool has grown to more than twice the number reserved (a few messages
/// beyond what the queues hold are normal). `owner` names the pool's owner in the warning. Allocates;
/// the returned function does not.
MessagePool::Exhausted exhausted_pool_warning(NodeBase & node, const std::string & owner,
                                              PoolRule rule);

}  // namespace takt::detail
