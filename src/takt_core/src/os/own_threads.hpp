// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::os {

/// The threads of this process that are takt's own, by the number that the kernel gives them. Their
/// names do not tell: a thread is called as the one that started it until it gives itself a name. Any
/// thread; no locks, so that a child of fork() finds none that is held.
///
/// add_own_thread() allocates where there are more than ever before.
void add_own_thread(int tid) noexcept;
/// When the kernel knows it no more.
void remove_own_thread(int tid) noexcept;
bool is_own_thread(int tid) noexcept;

}  // namespace takt::os
