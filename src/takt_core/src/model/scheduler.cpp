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
  state_->budgets.notice(now);
  if (state_->hold <= now) state_->hold = never;
}

Release Scheduler::release(TaskId task, Time release, Time now) noexcept {
  if (!state_->alive(task) || state_->records[task].timer) return Release::skipped;
  return state_->release(task, release, now);
}

void Scheduler::restart(TaskId task, Time first, Time now, Time reset) noexcept {
  if (!state_->alive(task) || !state_->records[task].timer) return;
  TaskRecord & record = state_->records[task];
  const bool stops = first == never;
  record.earliest = stops ? never : reset;
  record.waits = stops || reset > -furthest;
  if (record.own_grid) state_->restart(task, first, now);
}

bool Scheduler::finish(Level level, Time now, Duration used) noexcept {
  return state_->finish(level, now, used);
}

bool Scheduler::State::finish(Level level, Time now, Duration used) noexcept {
  const Job * job = started.find(level);
  if (job == nullptr) return false;
  const TaskId id = job->task;
  TaskRecord & record = records[id];
  make_due_before_end(record, id, now);
  const bool budgets_matter = budgets.any();
  if (budgets_matter) {
    if (used > budgets.budget(id)) exhaust(*job, used, now, false);
    budgets.end(id);
  }
  started.remove(level);
  if (budgets_matter) run_top(now);
  return end(record, id, now);
}

void Scheduler::State::make_due_before_end(const TaskRecord & record, TaskId id,
                                           Time now) noexcept {
  if (compiled->releases.next() < now) make_due(now - 1, now);
  if (record.noticed < record.jobs.size() && record.jobs[record.noticed].deadline < now) {
    notice(id, now - 1, now);
  }
}

bool Scheduler::State::end(TaskRecord & record, TaskId id, Time now) noexcept {
  record.started = false;
  record.jobs.pop();
  const bool late = record.noticed > 0;
  if (late) --record.noticed;
  // The cheap test first: `old` is in a cache line of the record that is not needed otherwise.
  if (changing_scenario() && record.old > 0) leave_old(id, now);
  if (record.extra && record.jobs.empty()) {
    record.extra = false;
    set_watched(id);
  }
  if (record.watched) watch(id);
  if (!record.jobs.empty()) make_ready(record);
  return late;
}

ApplicationState Scheduler::set_state(ApplicationState state) noexcept {
  state.version_ = state_->application.version_ + 1;
  std::swap(state_->application, state);
  if (state_->compiled->policy->uses_state()) {
    state_->rank_anew();
    ++state_->reranked;
  }
  return state;
}

void Scheduler::set_quiescent(bool quiescent) noexcept {
  state_->set_quiescent(quiescent);
}

void Scheduler::State::rank_anew() noexcept {
  const auto rank_of = [this](const Job & job) { return rank(job); };
  ready.rank_anew(rank_of);
  started.rank_anew(rank_of);
}

// ---- decisions

bool Scheduler::State::precedes(const Job & a, const Job & b) const noexcept {
  if (compiled->before == nullptr) return rank_precedes(a, b);
  const auto & before = *compiled->before;
  if (before(a, timed(a.task), b, timed(b.task))) return true;
  return !before(b, timed(b.task), a, timed(a.task)) && tie_precedes(a, b);
}

// Inlined, as each decision begins with it.
[[gnu::always_inline]] inline Job * Scheduler::State::startable() noexcept {
  if (ready.empty() || started.ceiling() >= compiled->levels.count()) return nullptr;
  if (compiled->before != nullptr) {
    ready.bring_first([this](const Job & a, const Job & b) { return precedes(a, b); });
  }
  Job & first = ready.front();
  if (first.level <= started.ceiling()) return nullptr;
  if (!started.empty() && !precedes(first, started.top())) return nullptr;
  return &first;
}

Decision Scheduler::decide(Time now) noexcept {
  return state_->decide(now);
}

Decision Scheduler::State::decide(Time now) noexcept {
  hold = never;
  while (Job * const first = startable()) {
    const Time until = compiled->policy->hold_until(timed(first->task), *first, now, application);
    if (until > now) {
      hold = until;
      return {.kind = Decision::Kind::hold, .job = first, .until = until};
    }
    if (!records[first->task].aged) return start(*first, first->level, now);
    Inputs found;
    const Decision before = refresh(*first, first->level, now, found);
    if (before.kind != Decision::Kind::nothing) return before;
    if (found.stale != OnStale::skip) return start(*first, first->level, found, now);
    drop_first();
  }
  return {};
}

void Scheduler::State::unready(const Job & job) noexcept {
  --pending;
  if (compiled->before != nullptr) {
    ready.drop(job);
  } else if (&job == &ready.front()) {
    ready.pop();
  } else {
    ready.remove(job);
  }
}

Decision Scheduler::State::start(Job & job, Level level, Time now) noexcept {
  unready(job);
  TaskRecord & record = records[job.task];
  record.started = true;
  job.level = level;
  started.push(job, std::max<Level>(record.ceiling, level));
  if (budgets.any()) budgets.pause(now);
  if (record.budgeted) {
    budgets.start(job.task, timed(job.task).budget, now, !compiled->preempts);
  }
  compiled->policy->started(job);
  return {.kind = Decision::Kind::start, .job = &job, .worker = level, .budgeted = record.budgeted};
}

Time Scheduler::next_event() const noexcept {
  return std::min({state_->compiled->releases.next(), state_->deadlines.next(),
                   state_->budgets.next(), state_->hold});
}

bool Scheduler::next_miss(Miss & miss) noexcept {
  return state_->misses.pop(miss);
}

bool Scheduler::next_overrun(Overrun & overrun) noexcept {
  return state_->overruns.pop(overrun);
}

bool Scheduler::next_exhaustion(Exhaustion & exhaustion) noexcept {
  return state_->exhaustions.pop(exhaustion);
}

bool Scheduler::has_notices() const noexcept {
  return !state_->misses.empty() || !state_->overruns.empty() || !state_->exhaustions.empty();
}

// ---- looking

bool Scheduler::idle() const noexcept {
  return state_->started.empty();
}
std::size_t Scheduler::pending() const noexcept {
  return state_->pending;
}
Level Scheduler::running() const noexcept {
  return idle() ? 0 : state_->started.worker();
}
std::array<const Job *, 2> Scheduler::upcoming() const noexcept {
  const ReadyQueue & ready = state_->ready;
  if (ready.empty() || state_->compiled->before != nullptr) return {};
  return {&ready.front(), ready.second()};
}
const Job * Scheduler::startable() noexcept {
  return state_->startable();
}
const Job * Scheduler::started(Level level) const noexcept {
  return state_->started.find(level);
}
AgeCounters Scheduler::age_counters() const noexcept {
  return state_->ages;
}
std::uint64_t Scheduler::reranked() const noexcept {
  return state_->reranked;
}
std::uint64_t Scheduler::unreported() const noexcept {
  return state_->misses.lost() + state_->overruns.lost() + state_->exhaustions.lost();
}
void Scheduler::store_overruns(bool store) noexcept {
  state_->stores_overruns = store;
}

void Scheduler::set_release_observer(void (*observer)(void *, const ReleaseNotice &),
                                     void * context) noexcept {
  state_->observer = observer;
  state_->observer_context = context;
}

}  // namespace takt::model
