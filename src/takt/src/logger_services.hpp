// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "takt/node_base.hpp"

namespace takt::detail {

/// Creates the services `~/get_logger_levels` and `~/set_logger_levels` and returns their handles.
std::vector<std::shared_ptr<Callback>> make_logger_services(const std::shared_ptr<NodeBase> & node);

}  // namespace takt::detail
