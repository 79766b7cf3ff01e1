// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <algorithm>
#include <takt_core/model/job.hpp>
#include <utility>

#include "error.hpp"

namespace takt::lab {
namespace {

/// The largest index of a job; no run has more releases of one task. A damaged index must not cause a huge
/// allocation.
constexpr std::uint64_t most_jobs = 1ULL << 32;

}  // namespace

Replay::Replay(const Spec & spec)
    : spec_(spec), tasks_(spec.tasks()), times_(tasks_.size()), extra_(tasks_.size()) {}

void Replay::take(std::span<const JobRow> rows, const std::string & where) {
  std::vector<std::uint64_t> counts(tasks_.size(), 0);
  std::vector<std::uint64_t> extras(tasks_.size(), 0);
  bool first = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JobRow & row = rows[i];
    const std::string place = where + ": row " + std::to_string(i);
    if (row.task >= tasks_.size()) {
      throw Error(place + ": the spec has no task " + std::to_string(row.task));
    }
    const bool extra = row.index >= model::first_extra_job;
    const std::uint64_t number = extra ? row.index - model::first_extra_job : row.index;
    if (number >= most_jobs) {
      throw Error(place + ": the job index " + std::to_string(row.index) + " is too large");
    }
    std::uint64_t & count = (extra ? extras : counts)[row.task];
    count = std::max(count, number + 1);
    if (extra) continue;
    const CallbackSpec & callback = *tasks_[row.task].callback;
    const model::Time start_of_grid =
        row.release - callback.phase - static_cast<model::Duration>(row.index) * callback.period;
    if (std::exchange(first, false)) t0_ = start_of_grid;
    if (start_of_grid != t0_) {
      throw Error(place +
                  ": its release is not on the grid of the spec; the record is of another spec");
    }
  }
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    if (std::max(counts[task], extras[task]) > rows.size()) {
      throw Error(where + ": does not contain every release of task " + std::to_string(task));
    }
    times_[task].assign(counts[task], -1);
    extra_[task].assign(extras[task], -1);
  }
  for (const JobRow & row : rows) {
    if (row.finish < 0) continue;
    if (row.index >= model::first_extra_job) {
      extra_[row.task][row.index - model::first_extra_job] = row.cpu;
    } else {
      times_[row.task][row.index] = row.cpu;
    }
  }
}

model::Duration Replay::execution(std::uint32_t task, std::uint64_t index) const noexcept {
  const bool extra = index >= model::first_extra_job;
  const std::vector<model::Duration> & times = (extra ? extra_ : times_)[task];
  const std::uint64_t number = extra ? index - model::first_extra_job : index;
  const model::Duration known = number < times.size() ? times[number] : -1;
  return known >= 0 ? known : spec_.work(*tasks_[task].callback, index);
}

std::vector<std::pair<model::Time, model::Time>> disjoint(std::vector<StallRow> rows,
                                                          std::optional<int> cpu) {
  std::erase_if(rows, [cpu](const StallRow & row) { return cpu && row.cpu != *cpu; });
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
