// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Runs an application in virtual time on the executor's scheduler, with the WCETs of its spec or with the
// execution times of a recorded run. Processors share only the grid, so they are simulated one after
// another.

#include <algorithm>
#include <optional>
#include <takt_core/executor/options.hpp>
#include <takt_core/model/simulator.hpp>
#include <tuple>
#include <utility>

#include "command_line.hpp"
#include "error.hpp"
#include "npy.hpp"
#include "partition.hpp"
#include "program.hpp"
#include "replay.hpp"
#include "spec.hpp"

namespace takt::lab::simulate {
namespace {

struct Arguments {
  std::string spec;
  std::string policy;
  model::Duration duration = 0;
  std::size_t processors = 1;
  std::vector<std::size_t> placement;
  std::string replay;
  std::string stalls;
  std::vector<int> cpus;
  std::string out;
  std::string slices;
  std::string placed;
};

/// Creates the scheduler of one processor. `tasks` are the indices of its tasks, in the scheduler's order.
model::LocalScheduler scheduler_of(const Spec & spec, const Partition & partition,
                                   const std::vector<std::uint32_t> & tasks,
                                   const std::string & policy, model::Time t0) {
  model::LocalScheduler scheduler(model::make_policy(policy));
  std::vector<model::GroupId> groups;
  for (const NodeSpec & node : spec.nodes) {
    groups.push_back(scheduler.add_group({.exclusive = node.exclusive}));
  }
  const std::vector<Spec::Task> all = spec.tasks();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Spec::Task & task = all[tasks[i]];
    const CallbackSpec & callback = *task.callback;
    const model::TaskId id = scheduler.add_task({.id = task.id,
                                                 .period = callback.period,
                                                 .phase = callback.phase,
                                                 .deadline = callback.deadline,
                                                 .priority = callback.priority,
                                                 .queue = callback.queue,
                                                 .budget = callback.budget,
                                                 .on_budget = callback.on_budget,
                                                 .group = groups[task.node],
                                                 .data = partition.data(tasks[i])});
    if (id != i) throw Error("the scheduler does not number tasks in order");
  }
  scheduler.set_age_margin(executor::Options{}.age_margin);
  scheduler.start_grid(t0);
  scheduler.commit();
  return scheduler;
}

JobRow row_of(const model::SimulatedJob & simulated, model::Duration execution) {
  JobRow row{
      .task = simulated.job.task, .index = simulated.job.index, .release = simulated.job.release};
  if (simulated.start != model::never) row.start = simulated.start;
  if (simulated.finish != model::never) {
    row.finish = simulated.finish;
    row.cpu = execution;
    row.flags = simulated.finish > simulated.job.deadline ? job_flags::late : 0;
  } else {
    row.flags = simulated.skipped ? job_flags::skipped : job_flags::unfinished;
  }
  if (row.index >= model::first_extra_job) row.flags |= job_flags::extra;
  return row;
}

/// The rows of all processors.
struct Rows {
  std::vector<JobRow> jobs;
  std::vector<SliceRow> slices;
};

void simulate(const Spec & spec, const Partition & partition, std::size_t processor,
              const Replay & replay, const Arguments & arguments,
              std::vector<std::pair<model::Time, model::Time>> stalls, Rows & rows) {
  const std::vector<std::uint32_t> tasks = partition.tasks(processor);
  model::SimulationOptions options;
  options.end = replay.t0() + arguments.duration;
  options.stalls = std::move(stalls);
  options.keep_slices = !arguments.slices.empty();
  const std::string policy = arguments.policy.empty() ? spec.policy : arguments.policy;
  model::LocalScheduler scheduler = scheduler_of(spec, partition, tasks, policy, replay.t0());
  const auto execution = [&](model::TaskId task, std::uint64_t index) {
    return replay.execution(tasks[task], index);
  };
  const model::SimulationResult result = model::simulate(scheduler, execution, options);
  for (const model::SimulatedJob & job : result.jobs) {
    rows.jobs.push_back(row_of(job, execution(job.job.task, job.job.index)));
    rows.jobs.back().task = tasks[job.job.task];
  }
  for (const model::Slice & slice : result.slices) {
    rows.slices.push_back(
        {.task = tasks[slice.task], .index = slice.index, .from = slice.from, .to = slice.to});
  }
}

void run(const Arguments & arguments) {
  const Spec spec = read_spec(arguments.spec);
  Replay replay(spec);
  if (!arguments.replay.empty()) {
    replay.take(read_npy<JobRow>(arguments.replay), arguments.replay);
  }
  std::vector<StallRow> stalls;
  if (!arguments.stalls.empty()) stalls = read_npy<StallRow>(arguments.stalls);
  if (!arguments.cpus.empty() && arguments.cpus.size() != arguments.processors) {
    throw Error("--cpu: give one for each processor");
  }
  const Partition partition(spec, arguments.processors, arguments.placement);
  Rows rows;
  for (std::size_t processor = 0; processor < arguments.processors; ++processor) {
    const auto cpu =
        arguments.cpus.empty() ? std::nullopt : std::optional(arguments.cpus[processor]);
    simulate(spec, partition, processor, replay, arguments, disjoint(stalls, cpu), rows);
  }
  std::sort(rows.jobs.begin(), rows.jobs.end(), [](const JobRow & a, const JobRow & b) {
    return std::tie(a.release, a.task, a.index) < std::tie(b.release, b.task, b.index);
  });
  if (!arguments.slices.empty()) write_npy<SliceRow>(arguments.slices, rows.slices);
  if (!arguments.placed.empty()) {
    const model::Placement & placement = partition.placement();
    write_json(arguments.placed,
               {{"processor", placement.processor}, {"utilisation", placement.utilisation}});
  }
  write_npy<JobRow>(arguments.out, rows.jobs);
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("simulate", "Runs an application in virtual time");
  Arguments arguments;
  line.option("--spec", arguments.spec, "resolved.json").required();
  line.option("--policy", arguments.policy, "Scheduling policy; default: the spec's");
  line.option("--duration-ns", arguments.duration, "Length in virtual time, in ns")
      .required()
      .above_zero();
  line.option("--processors", arguments.processors, "Number of processors (partitioned scheduling)")
      .within(1, 128)
      .shows_default();
  line.option("--placement", arguments.placement,
              "Processor of each task, as 0,1,0; default: by the spec and its WCETs")
      .separated_by(',');
  line.option("--replay", arguments.replay,
              "jobs.npy of a run, whose execution times and t0 are used");
  line.option("--stalls", arguments.stalls, "stalls.npy: intervals in which nothing runs");
  line.option("--cpu", arguments.cpus,
              "CPU of each processor, for its stalls; default: all stalls affect all processors")
      .separated_by(',');
  line.option("--out", arguments.out, "jobs.npy to write").required();
  line.option("--slices", arguments.slices, "slices.npy to write: which job ran when");
  line.option("--placed", arguments.placed, "JSON to write: the processor of each task");
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::simulate
