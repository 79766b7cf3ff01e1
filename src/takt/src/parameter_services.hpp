// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "takt/node_base.hpp"
#include "takt/parameters.hpp"

namespace takt::detail {

/// Creates the six standard parameter services of a node, each as a task of the lowest priority in the
/// node's default group, and returns their handles. `parameters` must outlive the handles.
std::vector<std::shared_ptr<Callback>> make_parameter_services(
    const std::shared_ptr<NodeBase> & node, Parameters & parameters);

}  // namespace takt::detail
