// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "takt_core/model/task.hpp"

namespace takt::model {

/// Checks the data flow of the tasks, indexed by number (nullptr: there is none). Throws
/// std::invalid_argument if a `max_age` is out of range or the relation "refreshes data for"
/// contains a cycle.
void check_inputs(const std::vector<const Task *> & tasks);
/// Gives every input without a Newest one of its own. Allocates.
void make_newest(DataFlow & data);

}  // namespace takt::model
