// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace takt::os {

/// Calls `end` on the thread `takt.signals` at the first SIGINT, SIGTERM or SIGHUP. Further ones
/// within half a second count as the same request, since a terminal and a launcher both send one. A
/// later one has its previous effect, which by default ends the process. A handler that was
/// installed before is called at every signal as well; a SIGHUP that was ignored stays ignored. The
/// first call installs the handlers. The last unwatch_end_signals() removes them, unless the last
/// signal was less than half a second ago. Returns the handle for unwatch_end_signals(). Any
/// thread; allocates. Throws std::system_error if the thread cannot be created.
std::uint64_t watch_end_signals(std::function<void()> end);
/// Stops calling the function. On return it is not running, unless it is the caller. No effect if
/// called before with this handle. Blocks while the function runs.
void unwatch_end_signals(std::uint64_t handle);

}  // namespace takt::os
