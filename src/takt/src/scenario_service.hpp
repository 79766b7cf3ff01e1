// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "takt/node_base.hpp"

namespace takt::detail {

/// As NodeListener::request_scenario.
using RequestScenario = std::function<std::int64_t(std::string_view name)>;

/// `~/set_scenario`, which asks `request`. Throws RclError.
std::shared_ptr<Callback> make_scenario_service(const std::shared_ptr<NodeBase> & node,
                                                RequestScenario request);

}  // namespace takt::detail
