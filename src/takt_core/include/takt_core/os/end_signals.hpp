// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace takt::os {

/// SIGINT, SIGTERM and SIGHUP ask for an end: at the first of them `end` is called, on the thread
/// `takt.signals`. Others within half a second are the same request: a terminal and a launcher both
/// send one. A later one is left to what was there before, which by default ends the process. A
/// handler that was there before is called at every signal, in the handler's place; a SIGHUP that was
/// ignored goes on to be. The first who watches installs the handlers; they go when the last one
/// leaves, but not within that half second. Returns what unwatch_end_signals() takes. Any thread;
/// allocates. Throws std::system_error if there can be no thread.
std::uint64_t watch_end_signals(std::function<void()> end);
/// On return `end` is not being called, unless it is what calls this. No effect if that has been done.
void unwatch_end_signals(std::uint64_t handle);

}  // namespace takt::os
