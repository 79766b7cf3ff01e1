// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "takt_core/model/task.hpp"

namespace takt::model {

/// By number; nullptr: there is none. Throws std::invalid_argument where an age is out of range or
/// refreshing goes in a circle.
void check_inputs(const std::vector<const Task *> & tasks);
/// Gives every input a Newest.
void make_newest(DataFlow & data);

}  // namespace takt::model
