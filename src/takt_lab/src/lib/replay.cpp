// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <algorithm>

#include "error.hpp"

namespace takt::lab {
namespace {

/// No run has more releases of one task; a damaged index must not ask for memory.
constexpr std::uint64_t most_jobs = 1ULL << 32;

}  // namespace

Replay::Replay(const Spec & spec) : tasks_(spec.tasks()), times_(tasks_.size()) {}

void Replay::take(std::span<const JobRow> rows, const std::string & where) {
  std::vector<std::uint64_t> counts(tasks_.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JobRow & row = rows[i];
    const std::string place = where + ": row " + std::to_string(i);
    if (row.task >= tasks_.size()) {
      throw Error(place + ": the spec has no task " + std::to_string(row.task));
    }
    if (row.index >= most_jobs) {
      throw Error(place + ": job " + std::to_string(row.index) + " is beyond any run");
    }
    const CallbackSpec & callback = *tasks_[row.task].callback;
    const model::Time start_of_grid =
        row.release - callback.phase - static_cast<model::Duration>(row.index) * callback.period;
    if (i == 0) t0_ = start_of_grid;
    if (start_of_grid != t0_) {
      throw Error(place + ": its release is not on the grid of the spec; the record is of another");
    }
    counts[row.task] = std::max(counts[row.task], row.index + 1);
  }
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    if (counts[task] > rows.size()) {
      throw Error(where + ": does not hold every release of task " + std::to_string(task));
    }
    times_[task].assign(counts[task], -1);
  }
  for (const JobRow & row : rows) {
    if (row.finish >= 0) times_[row.task][row.index] = row.cpu;
  }
}

model::Duration Replay::execution(std::uint32_t task, std::uint64_t index) const noexcept {
  const std::vector<model::Duration> & times = times_[task];
  const model::Duration known = index < times.size() ? times[index] : -1;
  return known >= 0 ? known : tasks_[task].callback->wcet;
}

std::vector<std::pair<model::Time, model::Time>> disjoint(std::vector<StallRow> rows) {
  std::sort(rows.begin(), rows.end(),
            [](const StallRow & a, const StallRow & b) { return a.from < b.from; });
  std::vector<std::pair<model::Time, model::Time>> stalls;
  for (const StallRow & row : rows) {
    if (row.from >= row.to) continue;
    if (!stalls.empty() && row.from <= stalls.back().second) {
      stalls.back().second = std::max(stalls.back().second, row.to);
    } else {
      stalls.emplace_back(row.from, row.to);
    }
  }
  return stalls;
}

}  // namespace takt::lab
