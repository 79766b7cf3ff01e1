// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt_msgs/srv/inspect.hpp>

#include "inspection.hpp"

namespace takt::detail {

/// All but stamp, process and period.
void fill(takt_msgs::srv::Inspect::Response & message, const Inspection & inspection);

}  // namespace takt::detail
