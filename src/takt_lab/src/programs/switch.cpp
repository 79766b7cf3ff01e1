// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the time from the request for another scenario until it takes effect, and until the first
// instruction of a job that only the new scenario allows to start; with requests by another thread and by the
// running callback. For comparison, one of the two threads merely wakes the other.

#include <atomic>
#include <memory>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_core/tasks/scheduling_strategy.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "program.hpp"
#include "report.hpp"

namespace takt::lab::switches {
namespace {

/// The time until the effect, as the executor measures it, and until the first instruction.
enum Variant : std::uint32_t {
  thread_effect,
  thread_start,
  callback_effect,
  callback_start,
  thread_bare,
  callback_bare
};
const std::vector<std::string> names = {"thread, effect",  "thread, start",   "callback, effect",
                                        "callback, start", "thread, wake-up", "callback, wake-up"};

constexpr model::Duration period = 4'000'000;
/// The instants in each period at which another scenario is requested, and at which the running job stops
/// waiting for the effect.
constexpr model::Duration request_at = 1'000'000;
constexpr model::Duration give_up_at = 2'500'000;
constexpr model::Duration lead = 30'000'000;

/// Measures the effect of one request. Written by the threads of one CPU in turn.
class Stopwatch {
 public:
  explicit Stopwatch(Samples & samples) : samples_(samples) {}

  void begin(std::uint32_t round, Variant start) noexcept {
    round_ = round;
    start_ = start;
  }
  Variant start() const noexcept { return start_; }
  /// To be called right before the request.
  void asked() noexcept { asked_.store(os::now(), std::memory_order_release); }
  /// To be called in the first instruction of the job that the request allows to start. Only the first call
  /// after each request counts.
  void started() noexcept {
    const model::Time asked = asked_.exchange(0, std::memory_order_acquire);
    if (asked == 0) return;
    add(start_, asked, os::now() - asked);
    started_.store(true, std::memory_order_release);
  }
  bool has_started() const noexcept { return started_.load(std::memory_order_acquire); }
  void forget() noexcept {
    asked_.store(0, std::memory_order_relaxed);
    started_.store(false, std::memory_order_relaxed);
  }
  void add(Variant variant, model::Time at, model::Duration value) noexcept {
    samples_.add(
        {.round = round_, .variant = variant, .at = at, .value = static_cast<double>(value)});
  }

 private:
  Samples & samples_;
  std::uint32_t round_ = 0;
  Variant start_ = thread_start;
  std::atomic<model::Time> asked_{0};
  std::atomic<bool> started_{false};
};

/// Waits for a condition without yielding the CPU. Returns false if it is not true at `end`.
template <typename Condition>
bool spin_until(model::Time end, Condition condition) noexcept {
  while (!condition()) {
    if (os::now() >= end) return false;
  }
  return true;
}

/// Returns a thread of higher priority than the workers, which calls `ask` once in each period until `end`.
template <typename Ask>
os::Thread requester(int cpu, model::Time t0, model::Time end, Ask ask) {
  return os::Thread(
      {.name = "lab.requester", .priority = executor::PriorityPlan{}.handler, .cpu = cpu},
      [t0, end, ask] {
        for (model::Time next = t0 + request_at; next < end; next += period) {
          // Too late for this period: its job has stopped waiting.
          if (os::now() > next + give_up_at) continue;
          os::sleep_until(next);
          ask();
        }
      });
}

/// In the scenario `calm`, the job `waiting` cannot start before `running` has ended; in `alarm`, it preempts
/// it. A third task keeps the preemption level of `running` between the two.
class UnderTakt {
 public:
  UnderTakt(const BenchmarkArguments & arguments, Samples & samples)
      : cpu_(arguments.cpu),
        watch_(samples),
        node_(std::make_shared<Node>("switch")),
        group_(node_->create_callback_group(CallbackGroupType::reentrant)),
        executor_({.policy = "fp", .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}}) {
    const auto timer = [this](const char * name, model::Duration phase, auto function) {
      return node_->create_timer(name, takt::Duration(period),
                                 {.phase = takt::Duration(phase), .group = group_}, function);
    };
    timers_.push_back(timer("running", 0, [this](const JobInfo & job) { run_job(job.release); }));
    timers_.push_back(timer("waiting", period / 20, [this] { watch_.started(); }));
    timers_.push_back(timer("third", period / 2 + give_up_at / 2, [] {}));
    executor_.add_node(node_);
    executor_.set_scheduling_strategy(strategy());
    calm_ = executor_.scenario_number("calm");
    alarm_ = executor_.scenario_number("alarm");
  }

  void run(std::uint32_t round, model::Duration length, Variant start) {
    watch_.begin(round, start);
    const model::Time t0 = os::now() + lead;
    executor_.set_start(t0);
    std::thread spin([this] { executor_.spin(); });
    os::Thread asks;
    if (start == thread_start) {
      asks = requester(cpu_, t0, t0 + length, [this] { ask(); });
    }
    os::sleep_until(t0 + length);
    asks.join();
    grants_ = executor_.grants();
    executor_.cancel();
    spin.join();
  }
  const executor::Grants & grants() const noexcept { return grants_; }
  Statistics statistics() const { return executor_.statistics(); }

 private:
  static SchedulingStrategy::SharedPtr strategy() {
    auto strategy = std::make_shared<SchedulingStrategy>();
    SchedulingScenario calm("calm");
    calm.set_task("waiting", {.priority = 10});
    calm.set_task("running", {.priority = 20});
    calm.set_task("third", {.priority = 30});
    SchedulingScenario alarm("alarm");
    alarm.set_task("third", {.priority = 10});
    alarm.set_task("running", {.priority = 20});
    alarm.set_task("waiting", {.priority = 30});
    strategy->add_scenario(calm);
    strategy->add_scenario(alarm);
    strategy->set_default_scenario("calm");
    return strategy;
  }

  void ask() noexcept {
    watch_.asked();
    executor_.request_scenario(alarm_);
  }

  void run_job(model::Time release) noexcept {
    if (watch_.start() == callback_start) {
      spin_until(release + request_at, [] { return false; });
      ask();
    }
    if (spin_until(release + give_up_at, [this] { return watch_.has_started(); })) {
      const Variant effect = watch_.start() == thread_start ? thread_effect : callback_effect;
      watch_.add(effect, release, executor_.statistics().last_switch_ns);
    }
    watch_.forget();
    executor_.request_scenario(calm_);
    // Wait until `calm` is in force, for the next request.
    spin_until(os::now() + give_up_at, [this] { return executor_.statistics().scenario == calm_; });
  }

  int cpu_;
  Stopwatch watch_;
  std::shared_ptr<Node> node_;
  CallbackGroup::SharedPtr group_;
  SchedulingExecutor executor_;
  std::vector<std::shared_ptr<Timer>> timers_;
  ScenarioId calm_ = 0;
  ScenarioId alarm_ = 0;
  executor::Grants grants_;
};

/// The same path without an executor: the requesting thread wakes a thread of higher priority than the
/// workers, which wakes a worker.
class Bare {
 public:
  Bare(const BenchmarkArguments & arguments, Samples & samples)
      : cpu_(arguments.cpu), watch_(samples) {}

  void run(std::uint32_t round, model::Duration length, Variant variant) {
    watch_.begin(round, variant);
    over_ = false;
    const model::Time t0 = os::now() + lead;
    const model::Time end = t0 + length;
    const executor::PriorityPlan plan;
    const os::Thread waiting = start("floor.waiting", plan.workers_high, [this] {
      for (job_.wait(); !over_; job_.wait()) watch_.started();
    });
    const os::Thread timer = start("floor.timer", plan.timer, [this] {
      // The timer thread sleeps with a time limit, so that the hardware timer must be set, as under takt.
      while (!over_) {
        if (time_.wait_until(os::now() + period)) job_.post();
      }
    });
    const os::Thread running = start("floor.running", plan.workers_high - 1, [this, t0, end] {
      for (model::Time release = t0; release < end; release += period) {
        os::sleep_until(release);
        run_job(release);
      }
      over_ = true;
      time_.post();
    });
    os::Thread asks;
    if (variant == thread_bare) {
      asks = requester(cpu_, t0, end, [this] { ask(); });
    }
  }

 private:
  template <typename Body>
  os::Thread start(const char * name, int priority, Body body) const {
    return os::Thread({.name = name, .priority = priority, .cpu = cpu_}, body);
  }
  void ask() noexcept {
    watch_.asked();
    time_.post();
  }
  void run_job(model::Time release) noexcept {
    if (watch_.start() == callback_bare) {
      spin_until(release + request_at, [] { return false; });
      ask();
    }
    spin_until(release + give_up_at, [this] { return watch_.has_started(); });
    watch_.forget();
  }

  int cpu_;
  Stopwatch watch_;
  os::Event time_;
  os::Event job_;
  std::atomic<bool> over_{false};
};

void run(const BenchmarkArguments & arguments) {
  demand_realtime();
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  const os::Granted memory = os::lock_memory();
  announce(os::now());
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  Samples samples(names, arguments.samples);
  {
    UnderTakt with(arguments, samples);
    Bare without(arguments, samples);
    const std::vector<Variant> each = {thread_start, thread_bare, callback_start, callback_bare};
    for (std::uint32_t round = 0; round < arguments.rounds; ++round) {
      for (const std::size_t turn : turns(round, each.size())) {
        const Variant variant = each[turn];
        if (variant == thread_start || variant == callback_start) {
          with.run(round, arguments.turn, variant);
        } else {
          without.run(round, arguments.turn, variant);
        }
      }
    }
    const Statistics statistics = with.statistics();
    samples.write("switch", arguments, with.grants(),
                  {{"rmw", takt::rmw_identifier()},
                   {"memory_locked", memory.granted != 0},
                   {"switches", statistics.scenario_switches},
                   {"overwritten", statistics.scenario_requests_overwritten},
                   {"longest_switch_ns", statistics.longest_switch_ns}});
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("switch", "Measures how soon another scenario takes effect");
  BenchmarkArguments arguments;
  add_options(line, arguments);
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::switches
