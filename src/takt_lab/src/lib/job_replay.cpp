// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "job_replay.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <takt_core/model/simulator.hpp>

#include "error.hpp"

namespace takt::lab {
namespace {

using Stalls = std::vector<std::pair<model::Time, model::Time>>;

/// The number of jobs after which the replay is restarted at the next idle instant: some minutes of a run,
/// so that restarts are rare and memory stays small.
constexpr std::size_t most_at_once = 50'000;
/// The largest number of pending jobs of one task. A larger backlog would be one from which no run recovers.
constexpr std::uint32_t queue = 1000;

/// A part of the record, with a scheduler of its own. Scenarios change relative deadlines, so each pair of a
/// task and a relative deadline is a task of this scheduler.
class Stretch {
 public:
  Stretch(std::span<const RecordedJob> jobs, const std::string & policy)
      : jobs_(jobs), scheduler_(model::make_policy(policy)) {
    for (const RecordedJob & job : jobs) {
      const model::TaskId task = task_of(job);
      places_.push_back(times_[task].size());
      tasks_.push_back(task);
      times_[task].push_back(job.execution);
      options_.arrivals.push_back({job.release, task});
      options_.end = std::max(options_.end, job.release) + job.execution;
    }
    scheduler_.start_grid(jobs.front().release);
    scheduler_.commit();
  }

  void run(const Stalls & stalls, std::vector<model::Time> & finishes) {
    const model::Time begin = jobs_.front().release;
    for (const auto & [from, to] : stalls) {
      if (to <= begin || from >= options_.end) continue;
      options_.stalls.emplace_back(std::max(from, begin), to);
      // The stall extends the time that the jobs need.
      options_.end += to - std::max(from, begin);
    }
    ++options_.end;
    const auto execution = [this](model::TaskId task, std::uint64_t index) {
      return times_[task].at(index);
    };
    std::map<std::pair<model::TaskId, std::uint64_t>, model::Time> finished;
    for (const model::SimulatedJob & job : model::simulate(scheduler_, execution, options_).jobs) {
      finished[{job.job.task, job.job.index}] = job.finish;
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto found = finished.find({tasks_[i], places_[i]});
      finishes.push_back(found == finished.end() ? model::never : found->second);
    }
  }

 private:
  model::TaskId task_of(const RecordedJob & job) {
    const auto [group, new_group] = groups_.try_emplace(job.group);
    if (new_group) group->second = scheduler_.add_group({.exclusive = true});
    const model::Duration deadline = job.deadline - job.release;
    const auto [task, new_task] = known_.try_emplace({job.task, deadline});
    if (new_task) {
      task->second = scheduler_.add_task({.id = std::to_string(job.task),
                                          .kind = model::TaskKind::other,
                                          .deadline = deadline,
                                          .queue = queue,
                                          .group = group->second});
    }
    return task->second;
  }

  std::span<const RecordedJob> jobs_;
  model::LocalScheduler scheduler_;
  std::map<std::uint32_t, model::GroupId> groups_;
  std::map<std::pair<std::uint32_t, model::Duration>, model::TaskId> known_;
  std::map<model::TaskId, std::vector<model::Duration>> times_;
  std::vector<model::TaskId> tasks_;
  std::vector<std::size_t> places_;
  model::SimulationOptions options_;
};

void check(const std::vector<RecordedJob> & jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const RecordedJob & job = jobs[i];
    const bool sound =
        job.deadline > job.release && job.execution >= 0 && job.finish >= job.release;
    if (!sound || (i > 0 && job.release < jobs[i - 1].release)) {
      throw Error("job " + std::to_string(i) + " of the record is inconsistent");
    }
  }
}

}  // namespace

std::vector<model::Time> replay_jobs(const std::vector<RecordedJob> & jobs,
                                     const std::string & policy, const Stalls & stalls) {
  check(jobs);
  std::vector<model::Time> finishes;
  std::size_t first = 0;
  model::Time busy_until = 0;
  for (std::size_t i = 0; i <= jobs.size(); ++i) {
    const bool over = i == jobs.size();
    if (over ? i > first : i - first >= most_at_once && jobs[i].release >= busy_until) {
      Stretch(std::span(jobs).subspan(first, i - first), policy).run(stalls, finishes);
      first = i;
    }
    if (!over) busy_until = std::max(busy_until, jobs[i].finish);
  }
  return finishes;
}

}  // namespace takt::lab
