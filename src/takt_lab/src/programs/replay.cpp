// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Replays the jobs of a soak test in virtual time, on the executor's scheduler, with only the recorded
// releases, deadlines and execution times.

#include "replay.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "job_replay.hpp"
#include "npy.hpp"

namespace takt::lab::replay {
namespace {

struct Arguments {
  std::string jobs;
  std::vector<std::uint32_t> groups;
  std::string policy = "edf";
  std::string stalls;
  std::string out;
};

void run(const Arguments & arguments) {
  std::vector<RecordedJob> jobs;
  for (const SoakJobRow & row : read_npy<SoakJobRow>(arguments.jobs)) {
    if (row.task >= arguments.groups.size()) {
      throw Error(arguments.jobs + ": task " + std::to_string(row.task) + " has no group");
    }
    jobs.push_back({.task = row.task,
                    .group = arguments.groups[row.task],
                    .release = row.release,
                    .deadline = row.deadline,
                    .finish = row.finish,
                    .execution = row.cpu});
  }
  std::vector<std::pair<model::Time, model::Time>> stalls;
  if (!arguments.stalls.empty()) stalls = disjoint(read_npy<StallRow>(arguments.stalls));
  std::vector<FinishRow> finishes;
  for (const model::Time finish : replay_jobs(jobs, arguments.policy, stalls)) {
    finishes.push_back({.finish = finish == model::never ? -1 : finish});
  }
  write_npy<FinishRow>(arguments.out, finishes);
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("replay", "Replays recorded jobs in virtual time");
  Arguments arguments;
  line.option("--jobs", arguments.jobs, "soak.jobs.npy, in order of release").required();
  line.option("--groups", arguments.groups, "The group of each task").required();
  line.option("--policy", arguments.policy, "Scheduling policy").shows_default();
  line.option("--stalls", arguments.stalls, "stalls.npy: intervals in which nothing runs");
  line.option("--out", arguments.out, "FILE.npy to write: when each job finished").required();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::replay
