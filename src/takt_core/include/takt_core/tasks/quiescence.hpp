// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace takt::tasks {

/// Waits before a shutdown until no job is started, so that what running jobs publish is sent
/// before the next step. Calls `quiesce`, which stops all new jobs except answers to clients and
/// returns whether no job is started, until it returns true, for half a second at most. Inside a
/// job it calls it once, as waiting would be for itself. Blocks.
void wait_for_started(const std::function<bool()> & quiesce);

}  // namespace takt::tasks
