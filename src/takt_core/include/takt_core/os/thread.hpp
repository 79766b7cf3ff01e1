// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/stack_overflow.hpp"

namespace takt::os {

/// The properties of a Thread.
struct ThreadOptions {
  /// The name, of which the kernel keeps 15 characters. Names of takt's own threads, and no others,
  /// begin with `takt.` (ThreadInfo::own).
  std::string name;
  int priority = 0;  ///< SCHED_FIFO 1 to 99, 0 for SCHED_OTHER
  int cpu = -1;      ///< pinned to this CPU, counted from 0; -1: all CPUs of the process
  /// The stack size in bytes, from Stack::least to Stack::most; 0: ordinary_stack_size(), for
  /// threads that call functions of the user.
  std::size_t stack = 0;
  /// For a real-time thread: how many bytes at the upper end of the stack are touched before the
  /// thread begins, and locked if memory is.
  std::size_t ready_stack = std::size_t{2} << 20;
  /// For a real-time thread: how many bytes of its malloc arena are touched before it begins
  /// (bring_in_heap()).
  std::size_t ready_heap = std::size_t{64} << 10;
  /// Tells what the thread is running, for the report of a stack overflow; nullptr: not known.
  TellRunning running = nullptr;
  /// The timer slack: how much later than requested a sleep may end, in ns. The kernel ignores it
  /// for real-time threads.
  Time slack = 1;
};

/// A thread that receives no asynchronous signals, does not pass on its real-time priority to
/// threads or processes that it starts, and has an ordinary priority again when its body has
/// returned, while thread-locals are destroyed. An object of this class is used by one thread at a
/// time. An exception that leaves the body ends the process, and so does a stack overflow, which is
/// reported (tell_of_overflow()). In a child of fork(), which has no threads of its parent, join()
/// returns at once.
class Thread {
 public:
  /// An object without a thread.
  Thread() noexcept;
  /// Starts the thread; on return its priority and CPU have been requested. A refusal is not an
  /// error: see priority() and cpu(). Throws std::system_error if the thread cannot be created.
  /// Allocates, and blocks until the thread has begun.
  Thread(ThreadOptions options, std::function<void()> body);
  /// Calls join().
  ~Thread();
  Thread(Thread && other) noexcept;
  /// Joins the previous thread.
  Thread & operator=(Thread && other) noexcept;

  /// Blocks until the thread has ended; returns at once if there is none. If called by the thread
  /// itself, as when code running on it destroys the object, it detaches the thread.
  void join() noexcept;
  /// Whether there is a thread that has not been joined.
  bool joinable() const noexcept { return control_ != nullptr; }
  /// Whether there is a thread, its priority and CPU were granted as requested, and the kernel
  /// still reports them. Some system calls.
  bool has_what_was_asked() const noexcept;

  /// The kernel's id of the thread; 0 without a thread.
  int tid() const noexcept;
  /// The name as in the options, not truncated. This member and the following ones require
  /// joinable().
  const std::string & name() const noexcept;
  /// The requested real-time priority, and the one granted last.
  const Granted & priority() const noexcept;
  /// The requested CPU, and the one granted last.
  const Granted & cpu() const noexcept;
  /// Requests another priority, 1 to 99, or 0 for SCHED_OTHER. A few system calls; allocates only
  /// for an error, which priority() then contains.
  void set_priority(int priority);
  /// Requests the CPU again if it was granted and the thread is not confined to it any more. True
  /// if it was confined all along, or is again. A few system calls; allocates only for an error.
  bool keep_cpu();

 private:
  struct Control;
  struct Left;
  std::unique_ptr<Control> control_;
};

}  // namespace takt::os
