// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <algorithm>
#include <iterator>
#include <takt_core/model/job.hpp>

namespace takt::lab {
namespace {

/// Marks a job that finished at an unknown instant. Used only until close().
constexpr model::Time unmeasured = -2;

}  // namespace

TaskRecord::TaskRecord(std::uint32_t task, const TaskGrid & grid,
                       std::span<const std::uint32_t> reads,
                       std::span<const std::uint32_t> publishes, std::uint64_t extra_jobs)
    : grid_(grid),
      reads_per_job_(reads.size()),
      publishes_per_job_(publishes.size()),
      current_(grid.count() + extra_jobs),
      jobs_(grid.count() + extra_jobs),
      late_(grid.count() + extra_jobs, 0) {
  reads_.reserve(jobs_.size() * reads.size());
  publishes_.reserve(jobs_.size() * publishes.size());
  for (std::uint64_t place = 0; place < jobs_.size(); ++place) {
    const bool extra = place >= grid.count();
    const std::uint64_t index = extra ? model::first_extra_job + place - grid.count() : place;
    jobs_[place].task = task;
    jobs_[place].index = index;
    for (const std::uint32_t topic : reads) {
      reads_.push_back({.task = task, .topic = topic, .index = index});
    }
    for (const std::uint32_t topic : publishes) {
      publishes_.push_back({.topic = topic, .task = task, .index = index});
    }
  }
}

std::uint64_t TaskRecord::place_of(std::uint64_t index) const noexcept {
  const bool extra = index >= model::first_extra_job;
  if (extra) return std::min(grid_.count() + (index - model::first_extra_job), jobs_.size());
  return index < grid_.count() ? index : jobs_.size();
}

void TaskRecord::begin_extra(std::uint64_t index, model::Time release, model::Time start) noexcept {
  begin(index, start);
  if (current_ < jobs_.size()) jobs_[current_].release = release;
}

void TaskRecord::begin(std::uint64_t index, model::Time start) noexcept {
  current_ = place_of(index);
  if (current_ >= jobs_.size()) return;
  jobs_[current_].start = start;
  // Without it, the next job would have a cache miss, which delays threads that wait for a lock of it.
  if (current_ + 1 < jobs_.size()) __builtin_prefetch(&jobs_[current_ + 1], 1);
}

void TaskRecord::dispatched(model::Duration decision, model::Duration cpu) noexcept {
  if (current_ >= jobs_.size()) return;
  jobs_[current_].decision = decision;
  jobs_[current_].dispatch_cpu = cpu;
}

void TaskRecord::read(std::size_t place, std::int64_t sequence, std::int64_t published) noexcept {
  if (current_ >= jobs_.size()) return;
  ReadRow & row = reads_[current_ * reads_per_job_ + place];
  row.start = jobs_[current_].start;
  row.sequence = sequence;
  row.published = published;
}

void TaskRecord::publish(std::size_t place, std::int64_t sequence, std::int64_t stamp,
                         model::Time returned) noexcept {
  if (current_ >= jobs_.size()) return;
  PublishRow & row = publishes_[current_ * publishes_per_job_ + place];
  row.sequence = sequence;
  row.stamp = stamp;
  row.returned = returned;
}

void TaskRecord::finish(model::Time finish, model::Duration cpu) noexcept {
  if (current_ >= jobs_.size()) return;
  jobs_[current_].finish = finish;
  jobs_[current_].cpu = cpu;
}

void TaskRecord::finish_unmeasured() noexcept {
  finish(unmeasured, -1);
}

void TaskRecord::mark_late(std::uint64_t index) noexcept {
  const std::uint64_t place = place_of(index);
  if (place < late_.size()) late_[place] = 1;
}

void TaskRecord::close(model::Time t0, model::Time end, std::uint64_t waiting) {
  for (std::uint64_t k = 0; k < grid_.count(); ++k) {
    jobs_[k].release = t0 + grid_.release(k);
  }
  classify(waiting);
  while (jobs_.size() > grid_.count() && jobs_.back().start < 0) jobs_.pop_back();
  for (std::uint64_t k = 0; k < jobs_.size(); ++k) {
    JobRow & job = jobs_[k];
    if (job.finish > end) job.finish = -1;
    if (job.finish == -1) {
      job.cpu = -1;
      if (job.flags == 0) job.flags = job_flags::unfinished;
    }
    if (job.finish == unmeasured) job.finish = -1;
    if (late_[k] != 0) job.flags |= job_flags::late;
    if (k >= grid_.count()) job.flags |= job_flags::extra;
  }
}

/// Marks the jobs that were skipped because of an overrun. The executor does not report their indices, but
/// jobs of a task start in order: a job that a later one has overtaken was skipped. After the last start,
/// the overrun rule determines which jobs were skipped.
void TaskRecord::classify(std::uint64_t waiting) {
  const auto extra = std::prev(jobs_.rend(), static_cast<std::ptrdiff_t>(grid_.count()));
  const auto last =
      std::find_if(extra, jobs_.rend(), [](const JobRow & job) { return job.start >= 0; });
  const auto tail = static_cast<std::uint64_t>(std::distance(last, jobs_.rend()));
  for (std::uint64_t k = 0; k < tail; ++k) {
    if (jobs_[k].start < 0) jobs_[k].flags = job_flags::skipped;
  }
  std::uint64_t pending = 0;
  for (std::uint64_t k = tail; k < grid_.count(); ++k) {
    const bool runs = tail > 0 && (last->finish == -1 || last->finish > jobs_[k].release);
    if (pending + (runs ? 1 : 0) > waiting) {
      jobs_[k].flags = job_flags::skipped;
    } else {
      ++pending;
    }
  }
}

std::vector<ReadRow> TaskRecord::reads() const {
  std::vector<ReadRow> rows;
  std::copy_if(reads_.begin(), reads_.end(), std::back_inserter(rows),
               [](const ReadRow & row) { return row.start >= 0; });
  return rows;
}

std::vector<PublishRow> TaskRecord::publishes() const {
  std::vector<PublishRow> rows;
  std::copy_if(publishes_.begin(), publishes_.end(), std::back_inserter(rows),
               [](const PublishRow & row) { return row.sequence >= 0; });
  return rows;
}

}  // namespace takt::lab
