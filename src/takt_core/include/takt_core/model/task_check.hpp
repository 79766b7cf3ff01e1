// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt_core/model/task.hpp"

namespace takt::model {

/// Throws std::invalid_argument of the scheduler.
[[noreturn]] void refuse(const std::string & what);

/// Throws std::invalid_argument, naming the task and the field, where a parameter is out of range.
void check_task(const Task & task);

/// Throws std::invalid_argument if the instant is further than `furthest` from 0.
void check_instant(Time at, const std::string & what);

}  // namespace takt::model
