// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

/// A thread of the process and the CPU time that it used within the window.
struct ThreadUse {
  int tid = 0;
  std::string name;
  int priority = 0;  ///< real-time priority at the end of the window; 0: none
  model::Duration cpu = 0;
  int pinned = -1;  ///< CPU that it is pinned to at the end of the window; -1: it may use several
};

/// Measures the CPU time of the process and of each of its threads between two instants. One thread.
class CpuWindow {
 public:
  /// Finds the threads. Reads /proc, which takes time, so it should be called well before open().
  void prepare();
  /// Begins the window. Reads one clock per thread, some 400 ns each.
  void open() noexcept;
  /// Ends the window in the same way. Then finds threads that were created after prepare(); all of their CPU
  /// time counts. Allocates.
  void close();

  /// After close(): the CPU time of all threads, including those that have ended, in ns.
  model::Duration process() const noexcept { return process_; }
  /// After close(): the threads that still exist.
  const std::vector<ThreadUse> & threads() const noexcept { return threads_; }
  /// The instants at which the clocks were read.
  model::Time opened() const noexcept { return opened_; }
  model::Time closed() const noexcept { return closed_; }

 private:
  std::vector<ThreadUse> threads_;
  std::vector<model::Time> begin_;
  model::Time process_begin_ = 0;
  model::Duration process_ = 0;
  model::Time opened_ = 0;
  model::Time closed_ = 0;
};

}  // namespace takt::lab
