// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/stack.hpp"

namespace takt::os {

/// Writes what the calling thread is running, such as "callback 'node/timer'", or an empty text if
/// that is not known. Called inside a signal handler: must not lock or allocate.
using TellRunning = void (*)(char * text, std::size_t size) noexcept;

/// Makes the calling thread, whose stack this is, report an overflow of it in one line on standard
/// error before the process ends: what was running, the size of the stack, and how to enlarge it:
/// by the executor's option if `running` is not nullptr, else by `ulimit -s`. Unless there is a
/// handler for SIGSEGV, installs one for the whole process, which afterwards has the signal take
/// its default effect; if there is one, now or later, nothing is reported. The stack must exist as
/// long as the thread. A few system calls; does not allocate.
void tell_of_overflow(const Stack & stack, const char * thread, TellRunning running) noexcept;

}  // namespace takt::os
