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

struct ThreadOptions {
  /// The kernel keeps 15 characters. Those of takt's own threads, and of no others, begin with `takt.`
  /// (ThreadInfo::own).
  std::string name;
  int priority = 0;  ///< SCHED_FIFO 1 to 99, 0 for SCHED_OTHER
  int cpu = -1;      ///< counted from 0, pinned there; -1: wherever the process may run
  /// Size of the stack in bytes, Stack::least to Stack::most; 0: ordinary_stack_size(), as what it
  /// calls may be the user's.
  std::size_t stack = 0;
  /// How much of it, from where it begins, is touched before the thread begins if it is real-time,
  /// and is locked then where memory is.
  std::size_t ready_stack = std::size_t{2} << 20;
  /// Of a real-time thread, for how many bytes at once its part of the heap is touched before it
  /// begins (bring_in_heap()).
  std::size_t ready_heap = std::size_t{64} << 10;
  /// What runs on it, if it is said whose stack has overflowed.
  TellRunning running = nullptr;
  /// How much later than asked its sleeps may end, in ns. No meaning for real-time threads.
  Time slack = 1;
};

/// A thread that receives no asynchronous signals, whose children do not inherit its priority, and
/// which has an ordinary one when its body has returned and thread-locals are destroyed. An object of
/// it is for one thread at a time. An exception that leaves the body ends the process, and so does an
/// overflow of its stack, which is said (tell_of_overflow()). A child of fork() has none of its
/// parent's threads: there it waits for none.
class Thread {
 public:
  Thread() noexcept;
  /// Starts it; on return its priority and CPU have been asked for. What is refused is no error:
  /// see priority() and cpu(). Throws std::system_error if there can be no thread. Allocates, and
  /// blocks until the thread has begun.
  Thread(ThreadOptions options, std::function<void()> body);
  /// As join().
  ~Thread();
  Thread(Thread && other) noexcept;
  /// Joins what was there before.
  Thread & operator=(Thread && other) noexcept;

  /// Blocks until its end; nothing if there is no thread (any more). The thread itself does not wait
  /// but goes on by itself, as where what owns it is destroyed by what it calls.
  void join() noexcept;
  bool joinable() const noexcept { return control_ != nullptr; }
  /// Whether there is a thread that has what was asked for, as the kernel says now. Some system calls.
  bool has_what_was_asked() const noexcept;

  /// Id as the kernel knows it, 0 without a thread.
  int tid() const noexcept;
  /// As in the options, not cut. This and what follows only while joinable().
  const std::string & name() const noexcept;
  const Granted & priority() const noexcept;
  const Granted & cpu() const noexcept;
  /// Asks for another priority, 1 to 99 or 0 for SCHED_OTHER. A few system calls; allocates only for
  /// an error, which is then in priority().
  void set_priority(int priority);
  /// Asks for its CPU again, if it was granted and it is not on that alone any more. True if it was
  /// there all along, or is again. A few system calls; allocates only for an error.
  bool keep_cpu();

 private:
  struct Control;
  struct Left;
  std::unique_ptr<Control> control_;
};

}  // namespace takt::os
