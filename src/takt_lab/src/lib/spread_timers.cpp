// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "spread_timers.hpp"

#include <takt_core/os/clock.hpp>
#include <thread>

#include "command_line.hpp"

namespace takt::lab {
namespace {

constexpr model::Duration start_up = 20'000'000;

model::Duration cpu_of_workers(const executor::Grants & grants) {
  model::Duration cpu = 0;
  for (const executor::PlannedThread & thread : grants.threads) {
    if (thread.role == "timer" || thread.role == "worker") cpu += os::thread_cpu_of(thread.tid);
  }
  return cpu;
}

}  // namespace

void add_spread_options(CommandLine & line, SpreadArguments & arguments) {
  add_options(line, arguments);
  line.option("--tasks", arguments.tasks, "Numbers of tasks, one or several")
      .above_zero()
      .shows_default();
  line.option("--policy", arguments.policy, "Scheduling policy").shows_default();
  line.option("--rate", arguments.rate, "Jobs per second, in real time")
      .above_zero()
      .shows_default();
}

model::Duration cpu_meanwhile(model::Duration length) {
  const model::Time begin = os::process_cpu();
  os::sleep_until(os::now() + length);
  return os::process_cpu() - begin;
}

int shuffled_priority(std::uint64_t task) noexcept {
  return static_cast<int>(1 + task * 7919 % 98);
}

SpreadTimers::SpreadTimers(const Options & options, std::uint32_t count)
    : processor_({.policy = options.policy,
                  .cpu = options.cpu,
                  .log = [](const std::string &) {},
                  .trace = options.trace}),
      apart_(1'000'000'000 / options.rate) {
  const executor::Processor::NonblockingRemoval nonblocking;
  for (std::uint32_t i = 0; i < count; ++i) {
    processor_.add_task({.id = "t" + std::to_string(i),
                         .period = count * apart_,
                         .phase = i * apart_,
                         .deadline = count * apart_,
                         .priority = shuffled_priority(i)},
                        options.function);
  }
}

template <typename Measure>
Cost SpreadTimers::run(const Measure & measure) {
  // The processor runs before the measurement begins, so that all of its threads are included.
  processor_.set_start(os::now() + start_up);
  std::thread spin([&] { processor_.spin(); });
  while (!processor_.spinning()) os::sleep_until(os::now() + start_up);
  os::sleep_until(os::now() + start_up);
  grants_ = processor_.grants();
  Cost cost;
  const std::uint64_t before = processor_.statistics().jobs;
  cost.cpu = measure();
  cost.jobs = processor_.statistics().jobs - before;
  processor_.stop();
  spin.join();
  return cost;
}

Cost SpreadTimers::run(model::Duration length) {
  return run([length] { return cpu_meanwhile(length); });
}

Cost SpreadTimers::run_workers(model::Duration length) {
  return run([this, length] {
    const model::Duration before = cpu_of_workers(grants_);
    os::sleep_until(os::now() + length);
    return cpu_of_workers(grants_) - before;
  });
}

}  // namespace takt::lab
