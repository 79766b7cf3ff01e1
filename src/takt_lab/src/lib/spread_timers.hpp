// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <vector>

#include "benchmark.hpp"

namespace takt::lab {

/// Jobs and the CPU time that they took.
struct Cost {
  std::uint64_t jobs = 0;
  model::Duration cpu = 0;
  double per_job() const noexcept { return static_cast<double>(cpu) / static_cast<double>(jobs); }
};

/// What programs are asked that run such timers.
struct SpreadArguments : BenchmarkArguments {
  std::vector<std::uint32_t> tasks;
  std::string policy = "fp";
  std::uint32_t rate = 20'000;
};

/// --tasks, --policy and --rate, beside what every benchmark has.
void add_spread_options(CommandLine & line, SpreadArguments & arguments);

/// CPU time of the process while the calling thread waits for so long.
model::Duration cpu_meanwhile(model::Duration length);

/// Not in the order of the tasks: the queue has an order to keep.
int shuffled_priority(std::uint64_t task) noexcept;

/// The real executor with `count` timers, spread so that `rate` of them are due each second.
class SpreadTimers {
 public:
  struct Options {
    std::string policy;
    int cpu = 0;
    std::uint32_t rate = 0;
    /// What a job does; nothing by default.
    executor::JobFunction function = {[](void *, const executor::JobInfo &) {}, nullptr};
    std::shared_ptr<trace::Recorder> trace = {};
  };

  SpreadTimers(const Options & options, std::uint32_t count);

  /// Spins for so long, and what the process used then.
  Cost run(model::Duration length);
  /// The same, but that it counts the threads alone that release and run jobs.
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
