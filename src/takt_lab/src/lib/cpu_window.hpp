// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

/// One thread of the process and the CPU time it used within the window.
struct ThreadUse {
  int tid = 0;
  std::string name;
  int priority = 0;  ///< real-time priority at the end, 0 for none
  model::Duration cpu = 0;
  int pinned = -1;  ///< the CPU it is pinned to at the end, -1 if it may use several
};

/// CPU time of the process and of each of its threads between two instants. Called by one thread.
class CpuWindow {
 public:
  /// Finds the threads; reads /proc, so do it some time before open().
  void prepare();
  /// One clock read per thread, some 400 ns each.
  void open() noexcept;
  /// The same, then looks for threads that came after prepare(): all their time counts. Allocates.
  void close();

  /// After close(): of all threads, those that have ended included.
  model::Duration process() const noexcept { return process_; }
  /// After close(): those that still exist.
  const std::vector<ThreadUse> & threads() const noexcept { return threads_; }
  /// When the clocks were read.
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
