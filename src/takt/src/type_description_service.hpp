// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt/node_base.hpp"

namespace takt::detail {

/// Creates the service `~/get_type_description`, by which tools query the message types that a node uses,
/// and returns its handle.
std::shared_ptr<Callback> make_type_description_service(const std::shared_ptr<NodeBase> & node);

}  // namespace takt::detail
