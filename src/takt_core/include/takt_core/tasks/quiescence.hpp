// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace takt::tasks {

/// Before a shutdown: calls `quiesce`, after which no job starts but answers to clients and which returns
/// whether none is started, until it says so, for half a second at most. What a job that has begun
/// still publishes is to go out before what is called next. In a job it is called once, as that would
/// wait for itself. Blocks.
void wait_for_started(const std::function<bool()> & quiesce);

}  // namespace takt::tasks
