// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Runs an application, or one of its nodes, under one of the executors, and records the job of every release.

#include <algorithm>
#include <map>
#include <optional>
#include <takt/context.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt/stock_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/threads.hpp>

#include "barrier.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "gauge.hpp"
#include "measuring.hpp"
#include "npy.hpp"
#include "overseer.hpp"
#include "program.hpp"
#include "rclcpp_nodes/executors.hpp"
#include "rclcpp_nodes/rclcpp_run.hpp"
#include "report.hpp"
#include "takt_application.hpp"

namespace takt::lab::runner {
namespace {

constexpr model::Duration millisecond = 1'000'000;

struct Arguments {
  std::string spec;
  std::string executor;
  std::string policy;
  std::vector<int> cpus;
  model::Duration duration = 0;
  model::Duration warmup = 0;
  std::string out;
  std::string tag;
  std::optional<std::uint32_t> node;
  int os_priority = 0;
  std::string barrier;
  std::uint32_t processes = 1;
  model::Duration match_timeout = 60'000 * millisecond;
  model::Duration gauges = 0;
  std::string trace;
  /// The CPUs that the process may use and the application does not; may be empty.
  std::vector<int> other_cpus;

  bool of_rclcpp() const { return is_rclcpp_executor(executor); }
  /// Returns whether the executor is one of takt's scheduling executors.
  bool scheduled() const { return executor == "takt" || executor == takts_for_rclcpp; }
  /// The CPU of the process; -1 if it may use several.
  int one_cpu() const { return cpus.size() == 1 ? cpus.front() : -1; }
  std::string path(const char * ending) const { return out + "/" + tag + ending; }
};

/// The results of a run, except for the records of its tasks.
struct Outcome {
  model::Time t0 = 0;
  Window window;
  CpuWindow cpu;
  model::Duration cpu_reading = 0;
  model::Duration callback_cpu = 0;
  takt::executor::Grants grants;
  nlohmann::ordered_json statistics;  ///< the executor's statistics; null if it has none
  nlohmann::ordered_json processors;  ///< each CPU of the executor with the tasks that run there
  nlohmann::ordered_json trace;       ///< counts of the trace's events; null without a trace
  takt::executor::PlannedThread overseer;
  std::vector<int> earlier_threads;
  std::vector<int> threads_before_spin;
  std::vector<GaugeRow> gauges;
  Measuring measuring;
};

model::Time meet(const Arguments & arguments, const Application & application,
                 Interrupt & interrupt) {
  const Barrier::Wait wait{
      .missing = [&] { return application.missing(); },
      // Every process reads t0 after at most some 5 ms of CPU time of each process, and then must begin to
      // spin before t0.
      .lead =
          300 * millisecond + 20 * millisecond * static_cast<model::Duration>(arguments.processes),
      .timeout = arguments.match_timeout};
  if (arguments.barrier.empty()) return wait_alone(wait, interrupt);
  Barrier barrier(arguments.barrier, arguments.processes, arguments.node.value_or(0));
  return barrier.wait(wait, interrupt);
}

/// Spins from a common t0 until the overseer ends it.
template <typename Executor>
Outcome run_under(Executor & executor, Application & application, const Arguments & arguments,
                  Interrupt & interrupt) {
  Outcome outcome;
  outcome.t0 = meet(arguments, application, interrupt);
  announce(outcome.t0);
  outcome.window = {outcome.t0 + arguments.warmup,
                    outcome.t0 + arguments.warmup + arguments.duration};
  executor.set_start(outcome.t0);
  model::Duration before = 0;
  if (arguments.gauges > 0) {
    outcome.gauges.reserve(static_cast<std::size_t>(arguments.duration / arguments.gauges) + 1);
  }
  Overseer overseer(outcome.window, arguments.cpus.front(), interrupt,
                    {.opened = [&] { before = application.callback_cpu(); },
                     .closed = [&] { outcome.callback_cpu = application.callback_cpu() - before; },
                     .stop = [&] { executor.cancel(); },
                     .look_every = arguments.gauges,
                     .look = [&] { outcome.gauges.push_back(gauge()); }});
  outcome.threads_before_spin = thread_ids();
  executor.spin();
  overseer.finish();
  outcome.cpu = overseer.cpu();
  outcome.cpu_reading = overseer.reading();
  outcome.overseer = overseer.thread();
  return outcome;
}

/// Returns the executor's statistics since it was created, including the warm-up.
nlohmann::ordered_json statistics_json(const takt::SchedulingControls & executor,
                                       Application & application) {
  const takt::Statistics statistics = executor.statistics();
  nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
  for (const auto & task : application.tasks()) {
    const takt::TaskCounters counters = executor.counters(task->name());
    tasks.push_back({{"task", task->task().index},
                     {"released", counters.released},
                     {"skipped", counters.skipped},
                     {"started", counters.started},
                     {"finished", counters.finished},
                     {"missed", counters.missed},
                     {"overruns", counters.overruns},
                     {"refreshed", counters.refreshed},
                     {"extra_releases", counters.extra_releases},
                     {"stale_skipped", counters.stale_skipped},
                     {"stale_reported", counters.stale_reported},
                     {"exhausted", counters.exhausted},
                     {"lowered", counters.lowered}});
  }
  nlohmann::ordered_json json = to_json(statistics);
  json["tasks"] = std::move(tasks);
  return json;
}

nlohmann::ordered_json processors_json(const takt::SchedulingControls & executor,
                                       Application & application) {
  nlohmann::ordered_json processors = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < executor.processor_count(); ++i) {
    const int cpu = executor.processor(i).grants().cpu;
    processors.push_back({{"cpu", cpu},
                          {"cpus", {cpu}},
                          {"tasks", nlohmann::ordered_json::array()},
                          {"statistics", to_json(executor.processor(i).statistics())}});
  }
  std::map<std::string, std::uint32_t> indices;
  for (const auto & task : application.tasks()) indices[task->name()] = task->task().index;
  for (const takt::TaskPlacement & task : executor.placement()) {
    // Other tasks are built-in services of nodes.
    const auto index = indices.find(task.callback);
    if (index == indices.end()) continue;
    processors[task.processor]["tasks"].push_back(
        {{"task", index->second}, {"declared", task.declared}, {"measured", task.measured}});
  }
  return processors;
}

/// Runs the application under one of takt's executors, which has its nodes. `controls` is the same executor.
template <typename Executor>
Outcome run_scheduled(Executor & executor, takt::SchedulingControls & controls,
                      Application & application, const Arguments & arguments,
                      Interrupt & interrupt) {
  controls.on_deadline_miss([&](const takt::Miss & miss, const std::string & callback) {
    application.mark_late(callback, miss.job.index);
  });
  Outcome outcome = run_under(executor, application, arguments, interrupt);
  outcome.grants = controls.grants();
  outcome.statistics = statistics_json(controls, application);
  outcome.processors = processors_json(controls, application);
  if (const auto trace = controls.trace(); trace != nullptr) {
    trace->close();
    outcome.trace = {{"events", trace->written()}, {"dropped", trace->dropped()}};
    if (const std::string error = trace->error(); !error.empty()) {
      throw Error(trace->file() + ": cannot be written: " + error);
    }
  }
  return outcome;
}

/// Runs the application under an executor without priorities. `api` says whose executor it is, `priority`
/// which priority was granted to the process.
template <typename Executor>
Outcome run_plain(Executor & executor, const char * api, Application & application,
                  const Arguments & arguments, Interrupt & interrupt,
                  const os::Granted & priority) {
  // Not if several processes take part in the run: the stacks of all their threads would be locked.
  const os::Granted memory = arguments.processes == 1 ? os::lock_memory() : os::Granted{0, 0, {}};
  Outcome outcome = run_under(executor, application, arguments, interrupt);
  outcome.grants = plain_grants(api, priority, arguments.one_cpu(), memory);
  nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
  for (const auto & task : application.tasks()) tasks.push_back({{"task", task->task().index}});
  outcome.processors = {
      {{"cpu", arguments.one_cpu()}, {"cpus", arguments.cpus}, {"tasks", std::move(tasks)}}};
  return outcome;
}

struct Rows {
  std::vector<JobRow> jobs;
  std::vector<ReadRow> reads;
  std::vector<PublishRow> publishes;
};

Rows close_records(Application & application, const Arguments & arguments,
                   const Outcome & outcome) {
  Rows rows;
  const auto add = [](auto & all, const auto & more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const auto & task : application.tasks()) {
    // An rcl timer that becomes due while its callback runs is called once more afterwards.
    const std::uint64_t waiting = !arguments.scheduled() ? 1 : task->task().callback->queue;
    TaskRecord & record = task->notes().record();
    record.close(outcome.t0, outcome.window.to, waiting);
    add(rows.jobs, record.jobs());
    add(rows.reads, record.reads());
    add(rows.publishes, record.publishes());
  }
  return rows;
}

nlohmann::ordered_json jobs_json(const Rows & rows, const Window & window) {
  std::uint64_t releases = 0;
  std::uint64_t skipped = 0;
  std::uint64_t unfinished = 0;
  for (const JobRow & job : rows.jobs) {
    if (job.release < window.from || (job.flags & job_flags::extra) != 0) continue;
    ++releases;
    if ((job.flags & job_flags::skipped) != 0) ++skipped;
    if ((job.flags & job_flags::unfinished) != 0) ++unfinished;
  }
  return {{"releases", releases}, {"skipped", skipped}, {"unfinished", unfinished}};
}

/// Returns the number of jobs that finished within the window, whenever they were released: those on which
/// its CPU time was spent.
std::uint64_t jobs_finished(const Rows & rows, const Window & window) {
  std::uint64_t jobs = 0;
  for (const JobRow & job : rows.jobs) jobs += job.finish >= window.from ? 1 : 0;
  return jobs;
}

/// Returns on which CPU the jobs of each task ran.
nlohmann::ordered_json places_json(Application & application) {
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  for (const auto & task : application.tasks()) {
    places.push_back({{"task", task->task().index},
                      {"cpu", task->notes().places().cpu},
                      {"elsewhere", task->notes().places().elsewhere}});
  }
  return places;
}

nlohmann::ordered_json result_json(Application & application, const Arguments & arguments,
                                   const Outcome & outcome, const Rows & rows,
                                   const Calibration & calibration) {
  nlohmann::ordered_json json = {
      {"schema_version", 4},
      {"program", "runner"},
      {"tag", arguments.tag},
      {"executor", arguments.executor},
      {"policy", {{"asked", arguments.policy}, {"in_use", outcome.grants.policy_in_use}}},
      {"rmw", takt::rmw_identifier()},
      {"t0", outcome.t0},
      {"window", to_json(outcome.window)},
      {"warmup_ns", arguments.warmup},
      {"duration_ns", arguments.duration},
      {"processes", arguments.processes},
      {"os_priority", arguments.os_priority}};
  json["node"] = arguments.node ? nlohmann::ordered_json(*arguments.node) : nullptr;
  json["jobs"] = jobs_finished(rows, outcome.window);
  json["releases"] = jobs_json(rows, outcome.window);
  json["callback_cpu_ns"] = outcome.callback_cpu;
  ThreadFacts facts{.main_tid = os::thread_id(),
                    .main_executes = !arguments.scheduled(),
                    .earlier = outcome.earlier_threads,
                    .inherited = arguments.os_priority,
                    .planned = outcome.grants.threads};
  facts.planned.push_back(outcome.overseer);
  if (!arguments.scheduled()) facts.before_spin = outcome.threads_before_spin;
  json.update(cpu_json(outcome.cpu, facts, outcome.cpu_reading));
  json["grants"] = to_json(outcome.grants);
  json["statistics"] = outcome.statistics;
  json["processors"] = outcome.processors;
  json["trace"] = outcome.trace;
  json["places"] = places_json(application);
  json["qos"] = application.qos_json();
  json["messages"] = application.messages_json();
  json["calibration"] = to_json(calibration);
  json["measuring"] = to_json(outcome.measuring);
  json["versions"] = versions_json();
  return json;
}

void write_results(Application & application, const Arguments & arguments, const Outcome & outcome,
                   const Calibration & calibration) {
  const Rows rows = close_records(application, arguments, outcome);
  const auto json = result_json(application, arguments, outcome, rows, calibration);
  NpyWriter<JobRow> jobs(arguments.path(".jobs.npy"));
  NpyWriter<ReadRow> reads(arguments.path(".reads.npy"));
  NpyWriter<PublishRow> publishes(arguments.path(".publishes.npy"));
  jobs.append(rows.jobs);
  reads.append(rows.reads);
  publishes.append(rows.publishes);
  jobs.commit();
  reads.commit();
  publishes.commit();
  if (arguments.gauges > 0) {
    write_npy<GaugeRow>(arguments.path(".gauges.npy"), outcome.gauges);
  }
  write_json(arguments.path(".json"), json);
  announce_files();
}

void run(Arguments & arguments) {
  if (arguments.os_priority > 0 && arguments.scheduled()) {
    throw Error("--os-priority is for stock executors; takt has its own plan");
  }
  if (!arguments.trace.empty() && !arguments.scheduled()) {
    throw Error("--trace: " + arguments.executor + " has no trace; leave it out");
  }
  if (arguments.node && arguments.of_rclcpp()) {
    throw Error("--node: " + arguments.executor + " runs all nodes in one process; leave it out");
  }
  const Spec spec = read_spec(arguments.spec);
  make_folder(arguments.out);
  arguments.other_cpus = os::allowed_cpus();
  std::erase_if(arguments.other_cpus, [&](int cpu) {
    return std::find(arguments.cpus.begin(), arguments.cpus.end(), cpu) != arguments.cpus.end();
  });
  const std::vector<int> earlier_threads = confine_process(arguments.cpus);
  const Calibration calibration = calibrate();
  // Set before anything else starts, so that the middleware's threads inherit it.
  const os::Granted priority =
      arguments.os_priority > 0 ? os::set_fifo(0, arguments.os_priority) : os::Granted{0, 0, {}};
  Interrupt interrupt;
  const Work work(calibration);
  const model::Duration length = arguments.warmup + arguments.duration;
  const auto finish = [&](Application & application, Outcome outcome) {
    outcome.earlier_threads = earlier_threads;
    // Measured after the run, so that it disturbs nothing.
    outcome.measuring = measure_measuring();
    write_results(application, arguments, outcome, calibration);
  };
  if (arguments.of_rclcpp()) {
    const auto run =
        make_rclcpp_run(arguments.executor,
                        {.policy = arguments.policy,
                         .cpus = arguments.cpus,
                         .time_decisions = true,
                         .trace = {.file = arguments.trace, .cpus = arguments.other_cpus}},
                        spec, work, length);
    Application & application = run->application();
    finish(application,
           run->controls() != nullptr
               ? run_scheduled(*run, *run->controls(), application, arguments, interrupt)
               : run_plain(*run, "rclcpp", application, arguments, interrupt, priority));
    return;
  }
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  {
    TaktApplication application(spec, arguments.node, work, length);
    const auto run = [&](auto && executor, const auto & how) {
      for (const auto & node : application.nodes()) executor.add_node(node);
      finish(application, how(executor));
    };
    if (arguments.scheduled()) {
      run(takt::SchedulingExecutor(
              {.policy = arguments.policy,
               .cpus = arguments.cpus,
               .time_decisions = true,
               .trace = {.file = arguments.trace, .cpus = arguments.other_cpus},
               .diagnostics = {.enabled = false}}),
          [&](auto & executor) {
            return run_scheduled(executor, executor, application, arguments, interrupt);
          });
    } else {
      run(takt::StockExecutor({.time_decisions = true}), [&](auto & executor) {
        return run_plain(executor, "ros", application, arguments, interrupt, priority);
      });
    }
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("runner", "Runs an application and records every job");
  Arguments arguments;
  line.option("--spec", arguments.spec, "resolved.json").required();
  std::vector<std::string> executors{"takt", "stock"};
  for (const std::string & name : rclcpp_executors()) executors.push_back(name);
  line.option("--executor", arguments.executor,
              "takt or stock; with rclcpp nodes, if rclcpp was found at build time: "
              "takt-rclcpp, rclcpp-single, rclcpp-multi, rclcpp-events")
      .required()
      .one_of(executors);
  line.option("--policy", arguments.policy, "Scheduling policy, only for takt");
  line.option("--cpu", arguments.cpus, "CPU of the whole process, or several, as 0,1")
      .required()
      .separated_by(',');
  line.option("--duration-ns", arguments.duration, "Length of the measured window in ns")
      .required()
      .above_zero();
  line.option("--warmup-ns", arguments.warmup, "Warm-up: time from t0 to the window, in ns")
      .not_negative();
  line.option("--out", arguments.out, "Folder for the results").required();
  line.option("--tag", arguments.tag, "Prefix of the results' file names").required();
  line.option("--node", arguments.node, "Index of the only node to run");
  line.option("--os-priority", arguments.os_priority,
              "SCHED_FIFO priority of the process, only for stock executors; 0: none")
      .within(0, 98);
  line.option("--barrier", arguments.barrier, "File by which the processes of a run synchronise");
  line.option("--processes", arguments.processes, "Number of processes of the run").above_zero();
  line.option("--match-timeout-ns", arguments.match_timeout,
              "Longest wait until all publishers and subscriptions are matched, in ns")
      .not_negative()
      .shows_default();
  line.option("--trace", arguments.trace, "File for a trace of every decision, only for takt");
  line.option("--gauges-ns", arguments.gauges,
              "Period of recording memory, open files and number of threads, in ns; 0: never")
      .not_negative();
  return line.run(argc, argv, [&] {
    if (arguments.policy.empty()) arguments.policy = read_spec(arguments.spec).policy;
    run(arguments);
  });
}

}  // namespace takt::lab::runner
