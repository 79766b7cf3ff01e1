// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt_msgs/srv/inspect.hpp>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// Fills in the response from an inspection, except for the stamp, the process and the period.
void fill(takt_msgs::srv::Inspect::Response & message, const tasks::Inspection & inspection);

}  // namespace takt::view
