// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <vector>

#include "benchmark.hpp"

namespace takt::lab {

/// A number of jobs and the CPU time that they took, in ns.
struct Cost {
  std::uint64_t jobs = 0;
  model::Duration cpu = 0;
  double per_job() const noexcept { return static_cast<double>(cpu) / static_cast<double>(jobs); }
};

/// The arguments of programs that run such timers.
struct SpreadArguments : BenchmarkArguments {
  std::vector<std::uint32_t> tasks;
  std::string policy = "fp";
  std::uint32_t rate = 20'000;
};

/// Adds --tasks, --policy and --rate, and the options of every benchmark.
void add_spread_options(CommandLine & line, SpreadArguments & arguments);

/// Waits for `length` ns and returns the CPU time that the process used during that time.
model::Duration cpu_meanwhile(model::Duration length);

/// Returns a priority that is not in the order of the tasks, so that the queue must be sorted.
int shuffled_priority(std::uint64_t task) noexcept;

/// The executor with `count` timers, whose releases are spread evenly, with `rate` releases per second.
class SpreadTimers {
 public:
  struct Options {
    std::string policy;
    int cpu = 0;
    std::uint32_t rate = 0;
    /// The function of each job; by default it does nothing.
    executor::JobFunction function = {[](void *, const executor::JobInfo &) {}, nullptr};
    std::shared_ptr<trace::Recorder> trace = {};
  };

  SpreadTimers(const Options & options, std::uint32_t count);

  /// Spins for `length` ns and returns the jobs and the CPU time of the process.
  Cost run(model::Duration length);
  /// Does the same, but counts only the CPU time of the threads that release and run jobs.
  Cost run_workers(model::Duration length);
  const executor::Grants & grants() const noexcept { return grants_; }

 private:
  template <typename Measure>
  Cost run(const Measure & measure);

  executor::Processor processor_;
  model::Duration apart_;
  executor::Grants grants_;
};

}  // namespace takt::lab
