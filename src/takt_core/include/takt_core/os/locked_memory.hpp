// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/rights.hpp"

namespace takt::os {

/// Locks the memory of the process, present and future (1: locked): a page that is there stays, and
/// one that comes later stays from when it is first touched, so that what is mapped and never used,
/// as an ordinary thread's stack of 8 MiB, costs nothing. Of programs and libraries every page is
/// brought in (see bring_in_libraries()). Refuses where the limit is so low that later allocations
/// would fail. Any thread; blocks for tens of milliseconds once, so call it before anything is urgent.
/// Where it is locked already (memory_locked()) only libraries that came since are brought in. Allocates.
Granted lock_memory();

/// Whether lock_memory() has locked the memory of this process, which a child of fork() does not
/// have, and nobody has unlocked it since. Any thread; reads /proc, does not allocate.
bool memory_locked() noexcept;

/// Brings in the code and data of libraries that were loaded since it was called last, so that no
/// thread is the first to touch a page of them; nothing unless lock_memory() has locked the process's
/// memory. Any thread of ordinary priority: where there are new ones it blocks for milliseconds and
/// allocates.
void bring_in_libraries();

/// Has the calling thread's part of the heap (its arena, of malloc) ready for `bytes`: a thread that
/// allocates no more than that at once touches no page first. Allocates, and frees it.
void bring_in_heap(std::size_t bytes) noexcept;

}  // namespace takt::os
