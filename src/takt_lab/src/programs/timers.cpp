// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Runs empty timers under an executor, or under one of the lower bounds (floors) for executors. Records when
// each job starts, and what the whole run costs.

#include <limits>
#include <memory>
#include <optional>
#include <takt/context.hpp>
#include <takt/job.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt/stock_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_core/os/threads.hpp>

#include "command_line.hpp"
#include "error.hpp"
#include "floor.hpp"
#include "npy.hpp"
#include "overseer.hpp"
#include "program.hpp"
#include "rclcpp_nodes/executors.hpp"
#include "rclcpp_nodes/rclcpp_timers.hpp"
#include "report.hpp"
#include "start_log.hpp"

namespace takt::lab::timers {
namespace {

using takt::executor::Grants;
using takt::executor::PlannedThread;
using takt::executor::PriorityPlan;

/// Time from the end of the set-up to t0.
constexpr model::Duration lead = 300'000'000;

struct Arguments {
  std::string executor;
  std::string policy = "rm";
  std::uint32_t callbacks = 1;
  std::uint32_t nodes = 1;
  model::Duration period = 10'000'000;
  std::string phases = "equal";
  model::Duration warmup = 1'000'000'000;
  model::Duration duration = 0;
  int cpu = 0;
  /// Priority of the thread that runs the jobs, except under takt, which chooses it.
  int os_priority = PriorityPlan{}.workers_high;
  std::uint64_t rows = 10'000'000;
  std::string out;
  std::string tag;

  model::Duration length() const { return warmup + duration; }
};

struct Outcome {
  model::Time t0 = 0;
  Window window;
  CpuWindow cpu;
  model::Duration cpu_reading = 0;
  Grants grants;
  ThreadFacts facts;
};

std::vector<model::Duration> phases_of(const Arguments & arguments) {
  std::vector<model::Duration> phases;
  for (std::uint32_t i = 0; i < arguments.callbacks; ++i) {
    phases.push_back(arguments.phases == "equal" ? 0 : arguments.period * i / arguments.callbacks);
  }
  return phases;
}

std::vector<TaskRecord> records_of(const Arguments & arguments,
                                   const std::vector<model::Duration> & phases) {
  std::vector<TaskGrid> grids;
  std::uint64_t rows = 0;
  for (const model::Duration phase : phases) {
    grids.emplace_back(phase, arguments.period, arguments.length());
    rows += grids.back().count();
  }
  if (rows > arguments.rows) {
    throw Error("the run has " + std::to_string(rows) + " releases, more than " +
                std::to_string(arguments.rows) + ": shorten it or raise --rows");
  }
  std::vector<TaskRecord> records;
  for (std::uint32_t task = 0; task < grids.size(); ++task) {
    records.emplace_back(task, grids[task], std::span<const std::uint32_t>{},
                         std::span<const std::uint32_t>{});
  }
  return records;
}

std::uint64_t rows_of(const std::vector<TaskRecord> & records) {
  std::uint64_t rows = 0;
  for (const TaskRecord & record : records) rows += record.jobs().size();
  return rows;
}

/// Measures `spin`, which `stop` ends, from t0 on.
template <typename Spin, typename Stop>
Outcome measure(const Arguments & arguments, Interrupt & interrupt, model::Time t0, Spin spin,
                Stop stop) {
  Outcome outcome;
  outcome.t0 = t0;
  announce(t0);
  outcome.window = {t0 + arguments.warmup, t0 + arguments.length()};
  Overseer overseer(outcome.window, arguments.cpu, interrupt,
                    {.opened = [] {}, .closed = [] {}, .stop = stop});
  spin();
  overseer.finish();
  outcome.cpu = overseer.cpu();
  outcome.cpu_reading = overseer.reading();
  outcome.facts.main_tid = os::thread_id();
  outcome.facts.planned = {overseer.thread()};
  return outcome;
}

/// The nodes for both executors of takt. Callbacks record what current_job() says, and read no clock.
class Nodes {
 public:
  Nodes(const Arguments & arguments, const std::vector<model::Duration> & phases, StartLog & log) {
    for (std::uint32_t i = 0; i < arguments.nodes; ++i) {
      nodes_.push_back(std::make_shared<takt::Node>("timers" + std::to_string(i)));
    }
    for (std::uint32_t i = 0; i < arguments.callbacks; ++i) {
      timers_.push_back(nodes_[i % arguments.nodes]->create_timer(
          "t" + std::to_string(i), takt::Duration(arguments.period),
          {.phase = takt::Duration(phases[i])},
          [&log, i](const takt::JobInfo & job) { log.note(i, job.index, job.start); }));
    }
  }

  template <typename Executor>
  Outcome run(Executor & executor, const Arguments & arguments, Interrupt & interrupt) {
    for (const auto & node : nodes_) executor.add_node(node);
    const model::Time t0 = os::now() + lead;
    executor.set_start(t0);
    return measure(arguments, interrupt, t0, [&] { executor.spin(); }, [&] { executor.cancel(); });
  }

 private:
  std::vector<std::shared_ptr<takt::Node>> nodes_;
  std::vector<std::shared_ptr<takt::Timer>> timers_;
};

Outcome run_executor(const Arguments & arguments, const std::vector<model::Duration> & phases,
                     StartLog & log, Interrupt & interrupt) {
  const bool stock = arguments.executor == "stock";
  const os::Granted priority =
      stock ? os::set_fifo(0, arguments.os_priority) : os::Granted{0, 0, {}};
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  Outcome outcome;
  {
    Nodes nodes(arguments, phases, log);
    if (stock) {
      const os::Granted memory = os::lock_memory();
      takt::StockExecutor executor;
      outcome = nodes.run(executor, arguments, interrupt);
      outcome.grants = plain_grants("ros", priority, arguments.cpu, memory);
      outcome.facts.main_executes = true;
      outcome.facts.inherited = arguments.os_priority;
    } else {
      takt::SchedulingExecutor executor(
          {.policy = arguments.policy, .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}});
      outcome = nodes.run(executor, arguments, interrupt);
      outcome.grants = executor.grants();
    }
  }
  takt::shutdown();
  return outcome;
}

Outcome run_rclcpp(const Arguments & arguments, const std::vector<model::Duration> & phases,
                   StartLog & log, Interrupt & interrupt) {
  const bool takts = arguments.executor == takts_for_rclcpp;
  const os::Granted priority =
      takts ? os::Granted{0, 0, {}} : os::set_fifo(0, arguments.os_priority);
  const auto timers =
      make_rclcpp_timers(arguments.executor, arguments.policy, arguments.cpu, arguments.nodes);
  for (std::uint32_t i = 0; i < arguments.callbacks; ++i) {
    timers->add(arguments.period, phases[i], log);
  }
  const os::Granted memory = takts ? os::Granted{0, 0, {}} : os::lock_memory();
  const model::Time t0 = os::now() + lead;
  timers->set_start(t0);
  const std::vector<int> before = thread_ids();
  Outcome outcome =
      measure(arguments, interrupt, t0, [&] { timers->spin(); }, [&] { timers->cancel(); });
  outcome.grants =
      takts ? timers->grants() : plain_grants("rclcpp", priority, arguments.cpu, memory);
  if (!takts) {
    outcome.facts.main_executes = true;
    outcome.facts.inherited = arguments.os_priority;
    outcome.facts.before_spin = before;
  }
  return outcome;
}

PlannedThread planned(const os::Thread & thread, const char * role) {
  return {.name = thread.name(),
          .tid = thread.tid(),
          .role = role,
          .asked = thread.priority().asked,
          .granted = thread.priority().granted,
          .cpu = thread.cpu().granted,
          .error = thread.priority().error};
}

/// Runs a floor, with a new thread for each of its parts, so that all have the same settings.
Outcome run_threads(const Arguments & arguments, Interrupt & interrupt, model::Time t0,
                    Floor & floor, FloorWakeUp * wake_up) {
  const os::Granted memory = os::lock_memory();
  std::vector<PlannedThread> threads;
  Outcome outcome = measure(
      arguments, interrupt, t0,
      [&] {
        os::Thread worker(
            {.name = "floor.worker", .priority = arguments.os_priority, .cpu = arguments.cpu},
            [&] { floor.run(); });
        threads.push_back(planned(worker, "worker"));
        if (wake_up == nullptr) return;
        os::Thread timer(
            {.name = "floor.timer", .priority = PriorityPlan{}.timer, .cpu = arguments.cpu},
            [&] { wake_up->make_releases(); });
        threads.push_back(planned(timer, "timer"));
      },
      [&] { floor.stop(); });
  const os::Granted priority{threads[0].asked, threads[0].granted, threads[0].error};
  outcome.grants = plain_grants("fifo", priority, arguments.cpu, memory);
  outcome.grants.threads = std::move(threads);
  return outcome;
}

Outcome run_floor(const Arguments & arguments, const std::vector<model::Duration> & phases,
                  StartLog & log, Interrupt & interrupt) {
  const model::Time t0 = os::now() + lead;
  ReleaseHeap heap(t0, arguments.period, phases);
  // Runs until the overseer stops it: the threads must still exist at the end of the window, even if the
  // overseer is late.
  constexpr model::Time end = std::numeric_limits<model::Time>::max();
  if (arguments.executor == "floor-loop") {
    FloorLoop floor(std::move(heap), log, end);
    return run_threads(arguments, interrupt, t0, floor, nullptr);
  }
  FloorWakeUp floor(std::move(heap), log, end);
  return run_threads(arguments, interrupt, t0, floor, &floor);
}

struct Counts {
  std::uint64_t releases = 0;
  std::uint64_t run = 0;
  std::uint64_t skipped = 0;
};

/// Writes the rows, and counts those of the window.
Counts write_jobs(const Arguments & arguments, const Outcome & outcome,
                  std::vector<TaskRecord> & records) {
  NpyWriter<JobRow> file(arguments.out + "/" + arguments.tag + ".jobs.npy");
  Counts counts;
  for (TaskRecord & record : records) {
    const bool of_rcl = arguments.executor == "stock" || arguments.executor.starts_with("rclcpp-");
    record.close(outcome.t0, outcome.window.to, of_rcl ? 1 : 0);
    for (const JobRow & job : record.jobs()) {
      if (job.release < outcome.window.from) continue;
      ++counts.releases;
      counts.run += job.start >= 0 ? 1 : 0;
      counts.skipped += (job.flags & job_flags::skipped) != 0 ? 1 : 0;
    }
    file.append(record.jobs());
  }
  file.commit();
  return counts;
}

void run(const Arguments & arguments) {
  make_folder(arguments.out);
  const std::vector<int> earlier_threads = confine_process({arguments.cpu});
  const std::vector<model::Duration> phases = phases_of(arguments);
  std::vector<TaskRecord> records = records_of(arguments, phases);
  StartLog log(rows_of(records));
  Interrupt interrupt;
  const bool of_rclcpp =
      is_rclcpp_executor(arguments.executor) || arguments.executor == rclcpp_floor;
  const bool floor = !of_rclcpp && arguments.executor.starts_with("floor");
  Outcome outcome = floor       ? run_floor(arguments, phases, log, interrupt)
                    : of_rclcpp ? run_rclcpp(arguments, phases, log, interrupt)
                                : run_executor(arguments, phases, log, interrupt);
  log.enter(records);
  const Counts counts = write_jobs(arguments, outcome, records);
  outcome.facts.earlier = earlier_threads;
  for (const PlannedThread & thread : outcome.grants.threads) {
    outcome.facts.planned.push_back(thread);
  }
  nlohmann::ordered_json json = {
      {"schema_version", 4},
      {"program", "timers"},
      {"tag", arguments.tag},
      {"executor", arguments.executor},
      {"policy", {{"asked", arguments.policy}, {"in_use", outcome.grants.policy_in_use}}},
      {"rmw", floor ? "" : takt::rmw_identifier()},
      {"callbacks", arguments.callbacks},
      {"nodes", arguments.nodes},
      {"period_ns", arguments.period},
      {"phases", arguments.phases},
      {"t0", outcome.t0},
      {"window", to_json(outcome.window)},
      {"warmup_ns", arguments.warmup},
      {"duration_ns", arguments.duration},
      {"os_priority", arguments.executor.starts_with("takt") ? 0 : arguments.os_priority},
      {"jobs", counts.run},
      {"releases",
       {{"releases", counts.releases},
        {"skipped", counts.skipped},
        {"unfinished", counts.releases - counts.run - counts.skipped}}},
      // The time of an empty callback counts as part of the overhead.
      {"callback_cpu_ns", 0}};
  json.update(cpu_json(outcome.cpu, outcome.facts, outcome.cpu_reading));
  json["grants"] = to_json(outcome.grants);
  json["versions"] = versions_json();
  write_json(arguments.out + "/" + arguments.tag + ".json", json);
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("timers", "Measures empty timers");
  Arguments arguments;
  std::vector<std::string> executors{"takt", "stock", "floor-loop", "floor-wakeup", rclcpp_floor};
  for (const std::string & name : rclcpp_executors()) executors.push_back(name);
  line.option("--executor", arguments.executor,
              "takt, stock, floor-loop, floor-wakeup; with rclcpp nodes, if rclcpp was found at "
              "build time: takt-rclcpp, rclcpp-single, rclcpp-multi, rclcpp-events, "
              "floor-rclcpp")
      .required()
      .one_of(executors);
  line.option("--policy", arguments.policy, "Scheduling policy of takt").shows_default();
  line.option("--callbacks", arguments.callbacks, "Number of timers").required().above_zero();
  line.option("--nodes", arguments.nodes, "Number of nodes that share the timers")
      .above_zero()
      .shows_default();
  line.option("--period-ns", arguments.period, "Period of each timer in ns")
      .required()
      .above_zero();
  line.option("--phases", arguments.phases,
              "equal: all released at once; spread: evenly over the period")
      .one_of({"equal", "spread"})
      .shows_default();
  line.option("--duration-ns", arguments.duration, "Length of the measured window in ns")
      .required()
      .above_zero();
  line.option("--warmup-ns", arguments.warmup, "Warm-up: time from t0 to the window, in ns")
      .not_negative()
      .shows_default();
  line.option("--cpu", arguments.cpu, "CPU of the whole process").required();
  line.option("--os-priority", arguments.os_priority,
              "SCHED_FIFO priority of the thread that runs jobs, except for takt; 0: none")
      .within(0, 98)
      .shows_default();
  line.option("--rows", arguments.rows, "Reject runs with more releases than this").shows_default();
  line.option("--out", arguments.out, "Folder for the results").required();
  line.option("--tag", arguments.tag, "Prefix of the results' file names").required();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::timers
