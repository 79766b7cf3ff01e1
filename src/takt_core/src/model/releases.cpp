// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that makes releases and notices deadlines.
#include <algorithm>
#include <span>

#include "scheduler_state.hpp"
#include "timing.hpp"

namespace takt::model {

void Scheduler::State::make_due(Time limit, Time now) noexcept {
  if (scene->releases.next() > limit) return;
  // The records of tasks that are released by themselves come into the cache at once, not one by
  // one; those that share a source lie in a loop, where the processor looks ahead.
  scene->releases.due_by(limit, [this](TaskId id) { __builtin_prefetch(&records[id], 1); });
  while (scene->releases.next() <= limit) {
    const ReleaseQueue::Due & first = scene->releases.first();
    if (first.timer) {
      release_timers(limit, now);
    } else {
      release_delayed(first.only);
    }
  }
}

void Scheduler::State::release_timers(Time limit, Time now) noexcept {
  const Time at = scene->releases.next();
  const Duration period = scene->releases.first().period;
  const std::span<const TaskId> members = scene->releases.first_members();
  bool any = false;
  for (const TaskId id : members) {
    if (!records[id].watched) notice(id, at, now);
    any |= accept(id, at);
  }
  Time next = at + period;
  if (!any && next <= limit) {
    // Nothing finishes in here: where all were skipped, so are all further scene->releases.
    const auto more = 1 + (limit - next) / period;
    for (const TaskId id : members) skip(id, next, static_cast<std::uint64_t>(more));
    next += more * period;
  }
  scene->releases.postpone(next);
}

void Scheduler::State::restart(TaskId id, Time first, Time now) noexcept {
  TaskRecord & record = records[id];
  const Task & task = scene->tasks[id];
  const bool runs = record.origin != never && first != never;
  record.origin = first != never ? first - tasks[id].period : never;
  std::uint64_t point = task.own_grid ? 1 : 0;
  if (!task.own_grid) {
    // The scenario has it on the common grid.
    if (runs) return;
    const Time from = origin(id);
    if (from != never) {
      point = first_point(task, from, now + 1);
      first = from + static_cast<Time>(point) * task.period;
    } else {
      first = never;
    }
  } else if (first != never && task.period != tasks[id].period) {
    // One of the scenario's periods after the point before.
    point = std::max<std::uint64_t>(first_point(task, record.origin, now), 1);
    first = record.origin + static_cast<Time>(point) * task.period;
  }
  record.off_grid = record.next_index - point;
  if (!record.jobs.empty()) {
    // The next release is no longer at their deadline.
    record.extra = true;
    set_watched(id);
    if (record.watched) watch(id);
  }
  const std::uint32_t source = scene->places[id].source;
  if (!record.suspended && source != none) scene->releases.set(source, first);
}

void Scheduler::State::release_delayed(TaskId id) noexcept {
  const Time at = scene->releases.next();
  accept(id, at);
  records[id].earliest = at + scene->tasks[id].period;
  if (--records[id].delayed > 0) {
    scene->releases.postpone(records[id].earliest);
  } else {
    scene->releases.pop();
  }
}

bool Scheduler::State::accept(TaskId id, Time at) noexcept {
  TaskRecord & record = records[id];
  if (record.jobs.full()) {
    skip(id, at, 1);
    return false;
  }
  ++record.released;
  const bool overrun = !record.jobs.empty();
  // The urgency may be there already, see enter().
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
    if (tells_overruns) overruns.push({job, 1, false});
  } else {
    make_ready(id);
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
  if (tells_overruns) overruns.push({first, count, true});
  if (observer != nullptr) {
    observer(observer_context, {first, Release::skipped, count, scene->tasks[id].period});
  }
}

Release Scheduler::State::release(TaskId id, Time at, Time now) noexcept {
  make_due(at, now);
  TaskRecord & record = records[id];
  if (record.suspended) {
    if (record.held == record.jobs.capacity()) return Release::skipped;
    ++record.held;
    return Release::delayed;
  }
  const Duration interval = scene->tasks[id].period;
  if (at >= record.earliest) {
    if (!accept(id, at)) return Release::skipped;
    if (interval > 0) record.earliest = at + interval;
    return Release::accepted;
  }
  if (record.delayed == record.jobs.capacity()) {
    skip(id, at, 1);
    return Release::skipped;
  }
  if (record.delayed++ == 0) scene->releases.push(scene->places[id].source, record.earliest);
  return Release::delayed;
}

void Scheduler::State::make_ready(TaskId id) noexcept {
  Job & job = records[id].jobs.front();
  if (!scene->ranks_tasks) job.urgency = rank(job);
  if (scene->before == nullptr) {
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
    const bool transition = under_way() || job.release < change_ended;
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
