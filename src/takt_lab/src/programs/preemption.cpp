// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the time from a release to the first instruction of its callback while a less urgent job runs on
// the CPU: under takt, and for comparison with a bare timer thread that wakes a thread of higher priority
// than a spinning one, at the same priorities.

#include <atomic>
#include <memory>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/thread.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "program.hpp"
#include "report.hpp"

namespace takt::lab::preemption {
namespace {

enum Variant : std::uint32_t { under_takt, bare };
const std::vector<std::string> names = {"takt", "wake-up"};

/// The less urgent job uses the CPU for most of its period, but not for all of it, because the kernel
/// throttles real-time threads that leave no time to others.
constexpr model::Duration spin_period = 10'000'000;
constexpr model::Duration spin_length = 8'500'000;
constexpr model::Duration urgent_period = 2'000'000;
/// The releases lie within the spinning, except for the last one of each period.
constexpr model::Duration urgent_phase = 1'000'000;
constexpr model::Duration lead = 30'000'000;

/// The less urgent job, and whether it is running or preempted.
class Spinner {
 public:
  void spin_until(model::Time end) noexcept {
    spinning_.store(true, std::memory_order_relaxed);
    while (os::now() < end) {
    }
    spinning_.store(false, std::memory_order_relaxed);
  }
  bool spinning() const noexcept { return spinning_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> spinning_{false};
};

/// Records the start of the urgent job, in its first instruction.
class Stopwatch {
 public:
  Stopwatch(Samples & samples, const Spinner & spinner, Variant variant)
      : samples_(samples), spinner_(spinner), variant_(variant) {}
  void begin(std::uint32_t round, model::Time from) noexcept {
    round_ = round;
    from_ = from;
  }
  void started(model::Time release, model::Time start) noexcept {
    if (release < from_ || !spinner_.spinning()) return;
    samples_.add({.round = round_,
                  .variant = variant_,
                  .at = release,
                  .value = static_cast<double>(start - release)});
  }

 private:
  Samples & samples_;
  const Spinner & spinner_;
  Variant variant_;
  std::uint32_t round_ = 0;
  model::Time from_ = 0;
};

/// Two timers of one node, in separate groups, so that one may preempt the other.
class UnderTakt {
 public:
  UnderTakt(const BenchmarkArguments & arguments, Samples & samples)
      : watch_(samples, spinner_, under_takt),
        node_(std::make_shared<Node>("preemption")),
        group_(node_->create_callback_group(CallbackGroupType::reentrant)),
        executor_({.policy = "fp", .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}}) {
    urgent_ = node_->create_timer(
        "urgent", takt::Duration(urgent_period),
        {.priority = 90, .phase = takt::Duration(urgent_phase), .group = group_},
        [this](const JobInfo & job) { watch_.started(job.release, os::now()); });
    other_ = node_->create_timer(
        "other", takt::Duration(spin_period), {.priority = 10, .group = group_},
        [this](const JobInfo & job) { spinner_.spin_until(job.release + spin_length); });
    executor_.add_node(node_);
  }

  void run(std::uint32_t round, model::Duration length) {
    const model::Time t0 = os::now() + lead;
    watch_.begin(round, t0 + spin_period);
    executor_.set_start(t0);
    std::thread spin([this] { executor_.spin(); });
    os::sleep_until(t0 + spin_period + length);
    grants_ = executor_.grants();
    executor_.cancel();
    spin.join();
  }
  const executor::Grants & grants() const noexcept { return grants_; }

 private:
  Spinner spinner_;
  Stopwatch watch_;
  std::shared_ptr<Node> node_;
  CallbackGroup::SharedPtr group_;
  SchedulingExecutor executor_;
  std::shared_ptr<Timer> urgent_;
  std::shared_ptr<Timer> other_;
  executor::Grants grants_;
};

/// The same with three threads and without an executor.
class Bare {
 public:
  Bare(const BenchmarkArguments & arguments, Samples & samples)
      : arguments_(arguments), watch_(samples, spinner_, bare) {}

  void run(std::uint32_t round, model::Duration length) {
    const model::Time t0 = os::now() + lead;
    const model::Time end = t0 + spin_period + length;
    watch_.begin(round, t0 + spin_period);
    const executor::PriorityPlan plan;
    // Declared in this order so that the timer's thread ends first.
    const os::Thread other = start("floor.other", plan.workers_high - 1, [this, t0, end] {
      for (model::Time next = t0; next < end; next += spin_period) {
        os::sleep_until(next);
        spinner_.spin_until(next + spin_length);
      }
    });
    const os::Thread urgent = start("floor.urgent", plan.workers_high, [this, end] {
      for (model::Time release = 0; release < end;) {
        release_.wait();
        release = due_.load(std::memory_order_relaxed);
        watch_.started(release, os::now());
      }
    });
    const os::Thread timer = start("floor.timer", plan.timer, [this, t0, end] {
      for (model::Time next = t0 + urgent_phase;; next += urgent_period) {
        os::sleep_until(next);
        due_.store(next, std::memory_order_relaxed);
        release_.post();
        if (next >= end) return;
      }
    });
  }

 private:
  template <typename Body>
  os::Thread start(const char * name, int priority, Body body) const {
    return os::Thread({.name = name, .priority = priority, .cpu = arguments_.cpu}, body);
  }

  const BenchmarkArguments & arguments_;
  Spinner spinner_;
  Stopwatch watch_;
  std::atomic<model::Time> due_{0};
  os::Event release_;
};

/// Runs only the less urgent thread, for other measurements that need one.
void spin_alone(const BenchmarkArguments & arguments, model::Duration length) {
  const os::Thread thread({.name = "lab.spinner",
                           .priority = executor::PriorityPlan{}.workers_high - 1,
                           .cpu = arguments.cpu},
                          [&] {
                            Spinner spinner;
                            const model::Time begin = os::now();
                            for (model::Time next = begin; next < begin + length;
                                 next += spin_period) {
                              os::sleep_until(next);
                              spinner.spin_until(next + spin_length);
                            }
                          });
}

void run(const BenchmarkArguments & arguments, model::Duration alone) {
  demand_realtime();
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  const os::Granted memory = os::lock_memory();
  announce(os::now());
  if (alone > 0) {
    spin_alone(arguments, alone);
    return;
  }
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  Samples samples(names, arguments.samples);
  {
    UnderTakt with(arguments, samples);
    Bare without(arguments, samples);
    for (std::uint32_t round = 0; round < arguments.rounds; ++round) {
      for (const std::size_t variant : turns(round, names.size())) {
        if (variant == under_takt) {
          with.run(round, arguments.turn);
        } else {
          without.run(round, arguments.turn);
        }
      }
    }
    samples.write("preemption", arguments, with.grants(),
                  {{"rmw", takt::rmw_identifier()}, {"memory_locked", memory.granted != 0}});
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("preemption", "Measures how soon an urgent job preempts another");
  BenchmarkArguments arguments;
  takt::model::Duration alone = 0;
  add_options(line, arguments);
  line.option("--spin-alone-ns", alone,
              "Do not measure; run only the less urgent thread for this time, in ns")
      .not_negative();
  return line.run(argc, argv, [&] { run(arguments, alone); });
}

}  // namespace takt::lab::preemption
