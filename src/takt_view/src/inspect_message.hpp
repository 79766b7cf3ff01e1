// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt_msgs/srv/inspect.hpp>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// All but stamp, process and period.
void fill(takt_msgs::srv::Inspect::Response & message, const tasks::Inspection & inspection);

}  // namespace takt::view
