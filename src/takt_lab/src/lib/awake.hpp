// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include <takt_core/os/thread.hpp>

namespace takt::lab {

/// Keeps CPUs from entering idle states, by a thread on each CPU that spins at the policy SCHED_IDLE, that
/// is, only when nothing else runs. Without it, the wake-up of a CPU may take longer than what is measured.
class Awake {
 public:
  /// Starts the threads. Allocates.
  explicit Awake(const std::vector<int> & cpus);
  /// Ends the threads.
  ~Awake();
  Awake(const Awake &) = delete;
  Awake & operator=(const Awake &) = delete;

  /// Returns the CPU time that the threads have used, in ns. Makes a system call for each.
  std::int64_t cpu_time() const noexcept;
  /// Returns for each thread: its CPU, whether it has the policy SCHED_IDLE, and its CPU time so far in ns.
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
