// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt/node_base.hpp"

namespace takt::detail {

/// `~/set_scenario`. Throws RclError.
std::shared_ptr<Callback> make_scenario_service(const std::shared_ptr<NodeBase> & node);

}  // namespace takt::detail
