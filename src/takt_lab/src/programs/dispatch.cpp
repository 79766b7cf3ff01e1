// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the cost of dispatching a job as a function of the number of tasks: for the scheduler alone, which
// is driven in virtual time as the executor drives it, and for the whole executor with its threads in real
// time; for comparison, a lower bound for each.

#include <memory>
#include <takt_core/model/local_scheduler.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/thread.hpp>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "floor.hpp"
#include "program.hpp"
#include "report.hpp"
#include "spread_timers.hpp"

namespace takt::lab::dispatch {
namespace {

enum Variant : std::uint32_t { together, spread, heap, processor, wake_up };
const std::vector<std::string> names = {"together", "spread", "heap", "executor", "wake-up"};

/// Virtual time between two releases that are spread, in ns; the results do not depend on it.
constexpr model::Duration step = 1'000;

struct Arguments : SpreadArguments {
  bool model_only = false;
};

/// Repeats a piece of work, which returns its number of jobs, for at least `length` ns.
template <typename Piece>
Cost repeat(model::Duration length, Piece piece) {
  Cost cost;
  const model::Time end = os::now() + length;
  const model::Time begin = os::thread_cpu();
  do {
    cost.jobs += piece();
  } while (os::now() < end);
  cost.cpu = os::thread_cpu() - begin;
  return cost;
}

/// A scheduler with `count` timers, each job of which finishes before the next release.
class Model {
 public:
  Model(const std::string & policy, std::uint32_t count, bool at_once)
      : scheduler_(model::make_policy(policy)), period_(count * step) {
    for (std::uint32_t i = 0; i < count; ++i) {
      scheduler_.add_task({.id = "t" + std::to_string(i),
                           .period = period_,
                           .phase = at_once ? 0 : i * step,
                           .deadline = period_,
                           .priority = shuffled_priority(i)});
    }
    scheduler_.start_grid(0);
    scheduler_.commit();
  }

  /// Works as the executor: makes the releases that are due, then runs the jobs of each worker in turn.
  std::uint64_t run_some() noexcept {
    std::uint64_t jobs = 0;
    while (jobs < 1000) {
      const model::Time now = scheduler_.next_event();
      scheduler_.advance(now);
      while (scheduler_.decide(now).kind == model::Decision::Kind::start) {
        scheduler_.finish(scheduler_.running(), now);
        ++jobs;
      }
    }
    return jobs;
  }

 private:
  model::LocalScheduler scheduler_;
  model::Duration period_;
};

/// The lower bound for the scheduler: a heap with the same number of entries, one of which moves for each job.
class Heap {
 public:
  explicit Heap(std::uint32_t count) : heap_(0, count * step, phases(count)) {}
  std::uint64_t run_some() noexcept {
    for (int i = 0; i < 1000; ++i) heap_.advance(heap_.top().release);
    return 1000;
  }

  static std::vector<model::Duration> phases(std::uint32_t count, model::Duration apart = step) {
    std::vector<model::Duration> phases;
    for (std::uint32_t i = 0; i < count; ++i) phases.push_back(i * apart);
    return phases;
  }

 private:
  ReleaseHeap heap_;
};

/// The lower bound for the executor: a thread that wakes another for the same number of timers at
/// the same rate and priorities, without an executor.
Cost run_wake_up(const Arguments & arguments, std::uint32_t count, model::Duration length) {
  const model::Duration apart = 1'000'000'000 / arguments.rate;
  const std::vector<model::Duration> phases = Heap::phases(count, apart);
  StartLog none(0);
  FloorWakeUp floor(ReleaseHeap(os::now() + 1'000'000, count * apart, phases), none, model::never);
  const executor::PriorityPlan plan;
  os::Thread worker({.name = "floor.worker", .priority = plan.workers_high, .cpu = arguments.cpu},
                    [&] { floor.run(); });
  os::Thread timer({.name = "floor.timer", .priority = plan.timer, .cpu = arguments.cpu},
                   [&] { floor.make_releases(); });
  os::sleep_until(os::now() + 20'000'000);
  Cost cost;
  const std::uint64_t before = floor.handed_over();
  cost.cpu = cpu_meanwhile(length);
  cost.jobs = floor.handed_over() - before;
  floor.stop();
  return cost;
}

class Dispatch {
 public:
  explicit Dispatch(const Arguments & arguments)
      : arguments_(arguments), samples_(names, arguments.samples) {
    for (const std::uint32_t count : arguments.tasks) {
      together_.push_back(std::make_unique<Model>(arguments.policy, count, true));
      spread_.push_back(std::make_unique<Model>(arguments.policy, count, false));
      heaps_.emplace_back(count);
      if (!arguments.model_only) {
        executors_.push_back(std::make_unique<SpreadTimers>(
            SpreadTimers::Options{
                .policy = arguments.policy, .cpu = arguments.cpu, .rate = arguments.rate},
            count));
      }
    }
  }

  void run() {
    for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
      for (const std::size_t i : turns(round, arguments_.tasks.size())) take_turn(round, i);
    }
    const executor::Grants grants = executors_.empty()
                                        ? plain_grants(arguments_.policy, {}, arguments_.cpu, {})
                                        : executors_.back()->grants();
    samples_.write("dispatch", arguments_, grants,
                   {{"policy", arguments_.policy}, {"rate", arguments_.rate}});
  }

 private:
  void take_turn(std::uint32_t round, std::size_t i) {
    const model::Duration turn = arguments_.turn;
    note(round, together, i, repeat(turn / 4, [&] { return together_[i]->run_some(); }));
    note(round, spread, i, repeat(turn / 4, [&] { return spread_[i]->run_some(); }));
    note(round, heap, i, repeat(turn / 4, [&] { return heaps_[i].run_some(); }));
    if (arguments_.model_only) return;
    note(round, processor, i, executors_[i]->run(turn));
    note(round, wake_up, i, run_wake_up(arguments_, arguments_.tasks[i], turn));
  }

  void note(std::uint32_t round, Variant variant, std::size_t i, const Cost & cost) {
    if (cost.jobs == 0) throw Error("no job ran: increase --turn-ns");
    samples_.add({.round = round,
                  .variant = variant,
                  .x = arguments_.tasks[i],
                  .at = os::now(),
                  .value = cost.per_job()});
  }

  const Arguments & arguments_;
  Samples samples_;
  std::vector<std::unique_ptr<Model>> together_;
  std::vector<std::unique_ptr<Model>> spread_;
  std::vector<Heap> heaps_;
  std::vector<std::unique_ptr<SpreadTimers>> executors_;
};

void run(const Arguments & arguments) {
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  announce(os::now());
  Dispatch(arguments).run();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("dispatch", "Measures the cost of dispatch by the number of tasks");
  Arguments arguments;
  arguments.tasks = {10, 30, 100, 300, 1000, 3000, 10000};
  add_spread_options(line, arguments);
  line.flag("--model-only", arguments.model_only, "Measure only the scheduler, in virtual time");
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::dispatch
