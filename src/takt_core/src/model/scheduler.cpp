// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "scheduler_state.hpp"

namespace takt::model {

// ---- inputs

void Scheduler::advance(Time now) noexcept {
  state_->make_due(now, now);
  state_->notice_due(now, now);
  if (state_->hold <= now) state_->hold = never;
}

Release Scheduler::release(TaskId task, Time release, Time now) noexcept {
  const bool known = task < state_->tasks.size();
  if (!known || state_->tasks[task].kind == TaskKind::timer) return Release::skipped;
  return state_->release(task, release, now);
}

bool Scheduler::finish(Level level, Time now) noexcept {
  return state_->finish(level, now);
}

bool Scheduler::State::finish(Level level, Time now) noexcept {
  const Job * job = started.find(level);
  if (job == nullptr) return false;
  const TaskId id = job->task;
  // What was due before the job finished found it unfinished, however late we hear of it.
  if (releases.next() < now) make_due(now - 1, now);
  TaskRecord & record = records[id];
  if (record.noticed < record.jobs.size() && record.jobs[record.noticed].deadline < now) {
    notice(id, now - 1, now);
  }
  started.remove(level);
  record.started = false;
  record.jobs.pop();
  const bool late = record.noticed > 0;
  if (late) --record.noticed;
  if (record.watched) watch(id);
  if (!record.jobs.empty()) make_ready(id);
  return late;
}

ApplicationState Scheduler::set_state(ApplicationState state) noexcept {
  state.version_ = state_->application.version_ + 1;
  std::swap(state_->application, state);
  if (state_->policy->uses_state()) {
    state_->rank_anew();
    ++state_->reranked;
  }
  return state;
}

void Scheduler::State::rank_anew() noexcept {
  const auto rank_of = [this](const Job & job) { return rank(job); };
  ready.rank_anew(rank_of);
  started.rank_anew(rank_of);
}

// ---- decisions

bool Scheduler::State::precedes(const Job & a, const Job & b) const noexcept {
  if (before == nullptr) return rank_precedes(a, b);
  if ((*before)(a, tasks[a.task], b, tasks[b.task])) return true;
  return !(*before)(b, tasks[b.task], a, tasks[a.task]) && tie_precedes(a, b);
}

Decision Scheduler::decide(Time now) noexcept {
  return state_->decide(now);
}

Decision Scheduler::State::decide(Time now) noexcept {
  hold = never;
  if (ready.empty() || started.ceiling() >= levels.count()) return {};
  if (before != nullptr) {
    ready.bring_first([this](const Job & a, const Job & b) { return precedes(a, b); });
  }
  const Job & first = ready.front();
  if (first.level <= started.ceiling()) return {};
  if (!started.empty() && !precedes(first, started.top())) return {};
  const Time until = policy->hold_until(tasks[first.task], first, now, application);
  if (until > now) {
    hold = until;
    return {Decision::Kind::hold, &first, until};
  }
  return {Decision::Kind::start, start(), never};
}

const Job * Scheduler::State::start() noexcept {
  Job & job = ready.front();
  if (before == nullptr) {
    ready.pop();
  } else {
    ready.drop_first();
  }
  TaskRecord & record = records[job.task];
  record.started = true;
  --pending;
  started.push(job, record.ceiling);
  policy->started(job);
  return &job;
}

Time Scheduler::next_event() const noexcept {
  return std::min({state_->releases.next(), state_->deadlines.next(), state_->hold});
}

bool Scheduler::next_miss(Miss & miss) noexcept {
  return state_->misses.pop(miss);
}

bool Scheduler::has_misses() const noexcept {
  return !state_->misses.empty();
}

// ---- looking

bool Scheduler::idle() const noexcept {
  return state_->started.empty();
}
std::size_t Scheduler::pending() const noexcept {
  return state_->pending;
}
Level Scheduler::running() const noexcept {
  return idle() ? 0 : state_->started.top().level;
}
const Job * Scheduler::started(Level level) const noexcept {
  return state_->started.find(level);
}
Level Scheduler::levels() const noexcept {
  return state_->levels.count();
}
std::size_t Scheduler::merged_levels() const noexcept {
  return state_->levels.merged();
}
std::uint64_t Scheduler::reranked() const noexcept {
  return state_->reranked;
}
std::uint64_t Scheduler::unreported_misses() const noexcept {
  return state_->misses.lost();
}
const Policy & Scheduler::policy() const noexcept {
  return *state_->policy;
}
std::optional<Time> Scheduler::grid() const noexcept {
  return state_->t0;
}

}  // namespace takt::model
