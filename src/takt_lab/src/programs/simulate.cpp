// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Runs an application in virtual time on the scheduler that the executor runs on: with the worst
// cases of its spec, or with the execution times of a recorded run.

#include <cstdio>
#include <takt_core/executor/options.hpp>
#include <takt_core/model/simulator.hpp>

#include "error.hpp"
#include "npy.hpp"
#include "program.hpp"
#include "replay.hpp"
#include "spec.hpp"

namespace takt::lab {
namespace {

struct Arguments {
  std::string spec;
  std::string policy;
  model::Duration duration = 0;
  std::string replay;
  std::string stalls;
  std::string out;
  std::string slices;
};

/// A task of the spec has the same index in the scheduler.
model::Scheduler scheduler_of(const Spec & spec, const std::string & policy, model::Time t0) {
  model::Scheduler scheduler(model::make_policy(policy));
  std::vector<model::GroupId> groups;
  for (const NodeSpec & node : spec.nodes) {
    groups.push_back(scheduler.add_group({.exclusive = node.exclusive}));
  }
  for (const Spec::Task & task : spec.tasks()) {
    const CallbackSpec & callback = *task.callback;
    const model::TaskId id = scheduler.add_task({.id = task.id,
                                                 .period = callback.period,
                                                 .phase = callback.phase,
                                                 .deadline = callback.deadline,
                                                 .priority = callback.priority,
                                                 .queue = callback.queue,
                                                 .group = groups[task.node],
                                                 .data = Spec::data_flow(callback)});
    if (id != task.index) throw Error("the scheduler does not number tasks in order");
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

void run(const Arguments & arguments) {
  const Spec spec = read_spec(arguments.spec);
  Replay replay(spec);
  if (!arguments.replay.empty()) {
    replay.take(read_npy<JobRow>(arguments.replay), arguments.replay);
  }
  model::SimulationOptions options;
  options.end = replay.t0() + arguments.duration;
  if (!arguments.stalls.empty()) options.stalls = disjoint(read_npy<StallRow>(arguments.stalls));
  options.keep_slices = !arguments.slices.empty();

  const std::string policy = arguments.policy.empty() ? spec.policy : arguments.policy;
  model::Scheduler scheduler = scheduler_of(spec, policy, replay.t0());
  const auto execution = [&](model::TaskId task, std::uint64_t index) {
    return replay.execution(task, index);
  };
  const model::SimulationResult result = model::simulate(scheduler, execution, options);

  std::vector<JobRow> jobs;
  for (const model::SimulatedJob & job : result.jobs) {
    jobs.push_back(row_of(job, replay.execution(job.job.task, job.job.index)));
  }
  if (options.keep_slices) {
    std::vector<SliceRow> slices;
    for (const model::Slice & slice : result.slices) {
      slices.push_back(
          {.task = slice.task, .index = slice.index, .from = slice.from, .to = slice.to});
    }
    write_npy<SliceRow>(arguments.slices, slices);
  }
  write_npy<JobRow>(arguments.out, jobs);
}

}  // namespace
}  // namespace takt::lab

int main(int argc, char ** argv) {
  CLI::App app("Runs an application in virtual time", "simulate");
  takt::lab::Arguments arguments;
  app.add_option("--spec", arguments.spec, "resolved.json")->required();
  app.add_option("--policy", arguments.policy, "Scheduling policy; default: the spec's");
  app.add_option("--duration-ns", arguments.duration, "Length in virtual time")
      ->required()
      ->check(takt::lab::above_zero());
  app.add_option("--replay", arguments.replay, "jobs.npy of a run: its execution times and t0");
  app.add_option("--stalls", arguments.stalls, "stalls.npy: nothing runs then");
  app.add_option("--out", arguments.out, "jobs.npy to write")->required();
  app.add_option("--slices", arguments.slices, "slices.npy to write: who had the CPU when");
  return takt::lab::run_program(app, argc, argv, [&] { takt::lab::run(arguments); });
}
