// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace takt::tasks {

/// Waits before a shutdown until the started jobs have finished, so that what they publish is sent
/// before the next step. `quiesce` stops all new jobs except those that receive responses of
/// services, and returns whether all started jobs have finished; it is called until it returns
/// true, for half a second at most. Called in a job, this function calls it once and does not wait,
/// since it would wait for that job. Blocks otherwise.
void wait_for_started(const std::function<bool()> & quiesce);

}  // namespace takt::tasks
