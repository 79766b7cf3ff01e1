// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/stack.hpp"

namespace takt::os {

/// What runs on the calling thread, for people, as "callback 'node/timer'"; nullptr: nobody knows.
/// Called inside a signal handler: no lock, no allocation.
using TellRunning = void (*)(char * text, std::size_t size) noexcept;

/// From now on the calling thread, whose stack this is, says so in one line on standard error before
/// an overflow of it ends the process: what ran, how large the stack is, and how to have a larger
/// one: the executor's option where there is `running`, which may be nullptr, else `ulimit -s`. If
/// nobody handles SIGSEGV it is handled here, by whatever thread it is raised, and then does what it
/// does by default; if somebody does, or handles it later, nothing is said. The stack must be there as
/// long as the thread. A few system calls.
void tell_of_overflow(const Stack & stack, const char * thread, TellRunning running) noexcept;

}  // namespace takt::os
