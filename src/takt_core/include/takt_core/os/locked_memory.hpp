// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/rights.hpp"

namespace takt::os {

/// Locks the present and future memory of the process (`granted` 1: locked). Pages in memory stay
/// there, and later ones do once they are touched, so mappings that are never used, as an ordinary
/// thread's stack of 8 MiB, cost nothing. All pages of programs and libraries are read in (see
/// bring_in_libraries()). Refused if the limit is so low that later allocations would fail. Any
/// thread; allocates, and blocks for tens of milliseconds the first time, so call it before
/// anything is urgent. If memory is locked already (memory_locked()), only libraries loaded since
/// are read in.
Granted lock_memory();

/// Whether lock_memory() has locked the memory of this process and nobody has unlocked it since;
/// false in a child of fork(). Any thread; reads /proc, does not allocate.
bool memory_locked() noexcept;

/// Reads in the code and data of libraries that were loaded since the last call, so that no thread
/// takes a page fault for them. No effect unless lock_memory() has locked the process's memory. Any
/// thread of ordinary priority: if there are new libraries it allocates, and blocks for
/// milliseconds.
void bring_in_libraries();

/// Prepares the calling thread's malloc arena: as long as the thread has no more than `bytes`
/// allocated at once, it takes no page fault there. More than 512 KiB count as 512 KiB. Allocates
/// and frees that memory.
void bring_in_heap(std::size_t bytes) noexcept;

}  // namespace takt::os
