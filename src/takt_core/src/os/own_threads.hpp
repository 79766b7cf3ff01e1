// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::os {

/// The registry of takt's own threads in this process, by thread id. Names are not enough: a thread
/// has the name of the one that started it until it is named. Any thread; lock-free, so that a
/// child of fork() finds no lock held.
///
/// add_own_thread() allocates if there are more than ever before.
void add_own_thread(int tid) noexcept;
/// To be called when the thread has ended.
void remove_own_thread(int tid) noexcept;
bool is_own_thread(int tid) noexcept;

}  // namespace takt::os
