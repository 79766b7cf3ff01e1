// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt_core/model/task.hpp"

namespace takt::model {

/// Throws std::invalid_argument with the scheduler's prefix.
[[noreturn]] void refuse(const std::string & what);

/// Throws std::invalid_argument, which names the task and the field, if a parameter is out of
/// range.
void check_task(const Task & task);

/// Throws std::invalid_argument if the instant's distance from 0 exceeds `furthest`.
void check_instant(Time at, const std::string & what);

}  // namespace takt::model
