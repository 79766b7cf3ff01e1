// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that switches scenarios.
#include <cstddef>

#include "scheduler_state.hpp"
#include "takt_core/model/timing.hpp"

namespace takt::model {

ScenarioId Scheduler::scenario() const noexcept {
  return state_->scenario;
}

void Scheduler::set_scenario(ScenarioId scenario, Time now) noexcept {
  state_->set_scenario(scenario, now);
}

void Scheduler::State::set_scenario(ScenarioId to, Time now) noexcept {
  if (to >= plan->scenarios.size() || to == scenario) return;
  make_due(now, now);
  notice_due(now, now);
  gather_pending(entering);
  ready.clear();
  scenario = to;
  compiled = &plan->scenarios[to];
  ++exchanges;
  old_jobs = 0;
  each_with_jobs([this](TaskId id) {
    records[id].old = records[id].jobs.size();
    old_jobs += records[id].old;
  });
  enter_tasks_with_jobs();
  started.raise_ceilings([this](const Job & job) {
    return plan->exclusive(job.task) ? Level{records[job.task].ceiling} : 0;
  });
  started.rank_anew([this](const Job & job) { return rank(job); });
  plan->aimed = none;
  aim(now);
  release_held(now);
}

template <typename Each>
void Scheduler::State::each_with_jobs(const Each & each) noexcept {
  for (const TaskId id : entering) each(id);
  started.for_each([&each](const Job & job) { each(job.task); });
  for (const TaskId id : lowered) each(id);
}

void Scheduler::State::enter_tasks_with_jobs() noexcept {
  hold = never;
  each_with_jobs([this](TaskId id) { enter(id); });
  for (const TaskId id : entering) make_ready(records[id]);
}

void Scheduler::State::enter(TaskId id) noexcept {
  TaskRecord & record = records[id];
  const Task & task = timed(id);
  const CompiledScenario::Place & place = compiled->places[id];
  record.entered = exchanges;
  if (record.grid != plan->grid) {
    record.grid = plan->grid;
    if (record.timer && !record.own_grid) record.next_index = 0;
  }
  record.deadline = task.deadline;
  record.period = task.period;
  record.level = static_cast<std::uint16_t>(place.level);
  record.ceiling = static_cast<std::uint16_t>(place.ceiling);
  record.suspended = place.suspended;
  if (compiled->ranks_tasks) {
    record.jobs.set_urgency(compiled->policy->urgency(task, {}, application));
  }
  record.budgeted = task.budget != never;
  record.aged = compiled->aged(id);
  for (std::uint32_t i = record.started ? 1 : 0; i < record.jobs.size(); ++i) {
    Job & job = record.jobs[i];
    job.deadline = deadline_of(record, job.release);
    job.level = record.level;
  }
  set_watched(id);
  if (record.watched) watch(id);
}

void Scheduler::State::release_held(Time now) noexcept {
  for (std::size_t i = 0; i < held.size();) {
    const TaskId id = held[i];
    if (at(id).suspended) {
      ++i;
      continue;
    }
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
    TaskRecord & record = records[id];
    for (; record.held > 0; --record.held) release(id, now, now);
  }
}

void Scheduler::State::set_watched(TaskId id) noexcept {
  TaskRecord & record = records[id];
  // Jobs released before a switch, and extra ones, are not on the present grid.
  record.watched = has_own_deadline(timed(id)) || record.old > 0 || record.extra;
  if (!record.watched) deadlines.erase(id);
}

void Scheduler::State::leave_old(TaskId id, Time now) noexcept {
  TaskRecord & record = records[id];
  if (--old_jobs == 0) change_ended = now;
  if (--record.old > 0) return;
  set_watched(id);
}

}  // namespace takt::model
