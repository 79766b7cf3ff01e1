// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that makes releases and notices misses.
#include <algorithm>
#include <span>

#include "scheduler_state.hpp"

namespace takt::model {

void Scheduler::State::make_due(Time limit, Time now) noexcept {
  made = std::max(made, limit);
  if (compiled->releases.next() > limit) return;
  // Prefetch the records of all tasks with a source of their own together rather than one after the
  // other. Tasks that share a source are visited in a loop, in which the CPU fetches ahead by
  // itself.
  compiled->releases.due_by(limit, [this](TaskId id) { __builtin_prefetch(&records[id], 1); });
  while (compiled->releases.next() <= limit) {
    const ReleaseQueue::Due & first = compiled->releases.first();
    if (first.timer && quiescent) [[unlikely]] {
      compiled->releases.pop();
    } else if (first.timer) {
      release_timers(limit, now);
    } else {
      release_delayed(first.only);
    }
  }
}

void Scheduler::State::release_timers(Time limit, Time now) noexcept {
  const Time at = compiled->releases.next();
  const Duration period = compiled->releases.first().period;
  const std::span<const TaskId> members = compiled->releases.first_members();
  bool any = false;
  for (const TaskId id : members) {
    TaskRecord & record = this->at(id);
    if (!record.alive) continue;
    if (!record.watched) notice(id, at, now);
    // The flag avoids reading the instant, which is in a cache line of the record that is not
    // needed otherwise.
    if (record.waits) [[unlikely]] {
      record.waits = passes_over(id, at);
      if (record.waits) {
        if (!record.own_grid) ++record.next_index;  // points of the common grid are numbered
        any = true;                                 // the next point may have a release
        continue;
      }
    }
    any |= accept(record, id, at);
  }
  Time next = at + period;
  if (!any && next <= limit) {
    // No job finishes in this loop: if all were skipped, so are all further releases.
    const auto more = 1 + (limit - next) / period;
    for (const TaskId id : members) {
      if (records[id].alive) skip(id, next, static_cast<std::uint64_t>(more));
    }
    next += more * period;
  }
  compiled->releases.postpone(next);
}

bool Scheduler::State::passes_over(TaskId id, Time at) const noexcept {
  if (timed(id).own_grid) return false;  // a grid of its own begins at the reset
  const TaskRecord & record = records[id];
  return record.earliest == never || at - record.earliest < record.period;
}

void Scheduler::State::restart(TaskId id, Time first, Time now) noexcept {
  TaskRecord & record = at(id);
  const Task & task = timed(id);
  const Duration own_period = plan->task(id).period;
  std::atomic<Time> & origin = origins[id];
  const bool runs = origin.load(std::memory_order_relaxed) != never && first != never;
  origin.store(first != never ? first - own_period : never, std::memory_order_relaxed);
  if (planning && !record.restarted) {
    record.restarted = true;
    restarted.push_back(id);
  }
  if (!task.own_grid) {
    // In the active scenario the timer follows the scheduler's grid, where a reset only makes it
    // pass over points.
    if (runs) return;
    first = plan->first_release(*compiled, id, origins, now);
  } else if (first != never && task.period != own_period) {
    // One of the scenario's periods after the point before.
    first = plan->first_release(*compiled, id, origins, now - 1);
  }
  if (!record.jobs.empty()) {
    // The next release does not coincide with their deadlines any more.
    record.extra = true;
    set_watched(id);
    if (record.watched) watch(id);
  }
  const std::uint32_t source = compiled->places[id].source;
  if (!record.suspended && source != none) compiled->releases.set(source, first);
}

void Scheduler::State::release_delayed(TaskId id) noexcept {
  const Time due = compiled->releases.next();
  TaskRecord & record = at(id);
  accept(record, id, due);
  record.earliest = due + record.period;
  if (--record.delayed > 0) {
    compiled->releases.postpone(record.earliest);
  } else {
    std::erase(delayed, id);
    compiled->releases.pop();
  }
}

bool Scheduler::State::accept(TaskRecord & record, TaskId id, Time at) noexcept {
  if (record.jobs.full()) {
    skip(id, at, 1);
    return false;
  }
  ++record.released;
  const bool overrun = !record.jobs.empty();
  // The urgency may be set already, see enter().
  Job & job = record.jobs.push();
  job.task = id;
  job.level = record.level;
  job.index = record.next_index++;
  job.release = at;
  job.deadline = deadline_of(record, at);
  ++pending;
  if (overrun) {
    ++record.overruns;
    ++loads.overruns;
    if (stores_overruns) overruns.push({job, 1, false});
  } else {
    make_ready(record);
  }
  if (record.watched && record.jobs.size() == record.noticed + 1) watch(id);
  if (observer != nullptr) observer(observer_context, {job, Release::accepted});
  return true;
}

void Scheduler::State::skip(TaskId id, Time at, std::uint64_t count) noexcept {
  TaskRecord & record = records[id];
  record.released += count;
  record.skipped += count;
  record.overruns += count;
  loads.overruns += count;
  const Job first{id, record.level, record.next_index, at, deadline_of(record, at), Urgency{0}};
  record.next_index += count;
  if (stores_overruns) overruns.push({first, count, true});
  if (observer != nullptr) {
    observer(observer_context, {first, Release::skipped, count, record.period});
  }
}

Release Scheduler::State::release(TaskId id, Time at, Time now) noexcept {
  make_due(at, now);
  if (!released_now(id)) [[unlikely]]
    return Release::skipped;
  TaskRecord & record = this->at(id);
  if (record.suspended) {
    if (record.held == record.jobs.capacity()) return Release::skipped;
    if (record.held++ == 0) held.push_back(id);
    return Release::delayed;
  }
  const Duration interval = record.period;
  if (at >= record.earliest) {
    if (!accept(record, id, at)) return Release::skipped;
    if (interval > 0) record.earliest = at + interval;
    return Release::accepted;
  }
  if (record.delayed == record.jobs.capacity()) {
    skip(id, at, 1);
    return Release::skipped;
  }
  if (record.delayed++ == 0) {
    delayed.push_back(id);
    compiled->releases.push(compiled->places[id].source, record.earliest);
  }
  return Release::delayed;
}

void Scheduler::State::set_quiescent(bool on) noexcept {
  quiescent = on;
  for (TaskId id = 0; id < size(); ++id) {
    TaskRecord & record = records[id];
    if (!record.alive || released_now(id)) continue;
    record.released -= record.jobs.size() - (record.started ? 1 : 0);
    drop_pending(id);
  }
}

void Scheduler::State::make_ready(TaskRecord & record) noexcept {
  Job & job = record.jobs.front();
  if (!compiled->ranks_tasks) job.urgency = rank(job);
  if (compiled->before == nullptr) {
    ready.push(job);
  } else {
    ready.append(job);
  }
}

void Scheduler::State::notice_due(Time limit, Time now) noexcept {
  while (deadlines.next() <= limit) {
    const TaskId id = deadlines.first();
    notice(id, limit, now);
    watch(id);
  }
}

void Scheduler::State::notice(TaskId id, Time limit, Time now) noexcept {
  TaskRecord & record = records[id];
  while (record.noticed < record.jobs.size() && record.jobs[record.noticed].deadline <= limit) {
    const bool running = record.started && record.noticed == 0;
    const Job & job = record.jobs[record.noticed];
    const bool transition = changing_scenario() || job.release < change_ended;
    misses.push({job, now, !running, transition});
    ++record.missed;
    if (transition) ++record.transition_misses;
    ++record.noticed;
  }
}

void Scheduler::State::watch(TaskId id) noexcept {
  const TaskRecord & record = records[id];
  if (record.noticed < record.jobs.size()) {
    deadlines.set(id, record.jobs[record.noticed].deadline);
  } else {
    deadlines.erase(id);
  }
}

}  // namespace takt::model
