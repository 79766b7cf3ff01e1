// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include <takt_core/os/thread.hpp>

namespace takt::lab {

/// Keeps CPUs from going to sleep: on each a thread that spins and makes way for everything else
/// (SCHED_IDLE). What wakes up there need not wait for the CPU to wake up first, which on some hosts
/// takes longer than what is measured.
class Awake {
 public:
  /// Allocates, starts the threads.
  explicit Awake(const std::vector<int> & cpus);
  /// Ends them.
  ~Awake();
  Awake(const Awake &) = delete;
  Awake & operator=(const Awake &) = delete;

  /// Of each thread: CPU, whether it is idle's, and its CPU time so far, ns.
  nlohmann::ordered_json to_json() const;

 private:
  struct One {
    int cpu = -1;
    std::string error;
    std::unique_ptr<os::Thread> thread;
  };
  std::atomic<bool> over_{false};
  std::vector<One> threads_;
};

}  // namespace takt::lab
