// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that puts plans into effect.
#include <algorithm>
#include <string>
#include <utility>

#include "scheduler_state.hpp"
#include "takt_core/model/task_check.hpp"
#include "takt_core/model/timing.hpp"

namespace takt::model {

Scheduler::Scheduler(Setup & setup) : state_(std::make_unique<State>()) {
  state_->plan = std::make_unique<CompiledPlan>();
  state_->plan->scenarios.resize(1);
  state_->compiled = &state_->plan->scenarios.front();
  state_->started.reserve(setup.max_levels());
  state_->moved.reserve(setup.max_levels());
  auto first = make_plan(setup, {});
  apply(first, -never);
}

Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler &&) noexcept = default;
Scheduler & Scheduler::operator=(Scheduler &&) noexcept = default;

Outlook Scheduler::begin_plan(Time now) noexcept {
  State & state = *state_;
  for (const TaskId id : state.restarted) state.records[id].restarted = false;
  state.restarted.clear();
  state.planning = true;
  return {std::max(now, state.made), state.scenario};
}

std::unique_ptr<Plan> Scheduler::make_plan(Setup & setup, const Outlook & outlook) {
  State & state = *state_;
  state.make_room(setup.size());
  return state.maker.make(setup, outlook, state.origins);
}

void Scheduler::apply(std::unique_ptr<Plan> & plan, Time now) noexcept {
  std::unique_ptr<CompiledPlan> next(static_cast<CompiledPlan *>(plan.release()));
  advance(std::max(now, state_->made));
  state_->apply(next, std::max(now, state_->made));
  plan = std::move(next);
}

std::span<const MovedJob> Scheduler::moved() const noexcept {
  return state_->moved;
}

bool Scheduler::retire(TaskId task) noexcept {
  if (state_->alive(task)) {
    state_->drop_pending(task);
    state_->records[task].alive = false;
  }
  return busy(task);
}

bool Scheduler::contains(TaskId task) const noexcept {
  return state_->alive(task);
}

bool Scheduler::busy(TaskId task) const noexcept {
  return task < state_->size() && state_->records[task].started;
}

// ---- room ---------------------------------------------------------------------------------------

void Scheduler::State::make_room(std::size_t tasks) {
  records.make_room(tasks);
  places.make_room(tasks);
  origins.make_room(tasks);
  deadlines.make_room(tasks);
  budgets.make_room(tasks);
}

void Scheduler::State::use(Room & room) noexcept {
  std::swap(ready, room.ready);  // its jobs are added again afterwards
  deadlines.use(room.deadlines);
  misses.use(room.misses);
  overruns.use(room.overruns);
  exhaustions.use(room.exhaustions);
  const auto take = [](std::vector<TaskId> & list, std::vector<TaskId> & larger) {
    larger.assign(list.begin(), list.end());
    list.swap(larger);
  };
  take(delayed, room.delayed);
  take(held, room.held);
  take(lowered, room.lowered);
  take(restarted, room.restarted);
  entering.swap(room.entering);  // the pending jobs were gathered in the new one
}

// ---- the exchange -------------------------------------------------------------------------------

void Scheduler::State::apply(std::unique_ptr<CompiledPlan> & next, Time now) noexcept {
  gather_pending(next->room ? next->room->entering : entering);
  ready.clear();
  if (next->room) use(*next->room);
  plan.swap(next);
  scenario = plan->holding_after(scenario);
  const CompiledScenario * before = std::exchange(compiled, &plan->scenarios[scenario]);
  ++exchanges;
  for (const TaskId id : plan->coming) begin(id, now);
  for (const TaskId id : plan->changed) change(id);
  enter_tasks_with_jobs();
  keep_refreshed(*before);
  move_started();
  aim(now);
  for (const TaskId id : plan->coming) release_now(id, now);
  release_held(now);
  plan->new_grid = false;  // done
  planning = false;
}

void Scheduler::State::gather_pending(std::vector<TaskId> & to) const noexcept {
  to.clear();
  ready.for_each([&to](const Job & job) { to.push_back(job.task); });
}

void Scheduler::State::begin(TaskId id, Time now) noexcept {
  const PlannedTask & planned = *plan->tasks[id].planned;
  const Task & task = planned.task;
  misses.forget(id);
  overruns.forget(id);
  exhaustions.forget(id);
  deadlines.erase(id);
  TaskRecord & record = records[id];
  record = TaskRecord{};
  record.alive = true;
  record.timer = task.kind == TaskKind::timer;
  record.own_grid = task.own_grid;
  record.grid = plan->grid;
  Job * slots = planned.places != nullptr ? planned.places.get() : &places[id];
  record.jobs = JobQueue(slots, task.queue + 1);
  if (record.timer && !record.own_grid && plan->t0 && !plan->new_grid) {
    record.next_index = first_point(task, *plan->t0 + task.phase, now);
  }
}

void Scheduler::State::change(TaskId id) noexcept {
  const PlannedTask & planned = *plan->tasks[id].planned;
  TaskRecord & record = records[id];
  const bool was_timer = record.timer;
  record.timer = planned.task.kind == TaskKind::timer;
  if (record.timer != was_timer || record.own_grid != planned.task.own_grid) {
    // The stored instants and waiting releases are those of a task of the other kind.
    record.earliest = -never;
    record.waits = false;
    record.delayed = record.held = 0;
    std::erase(delayed, id);
    std::erase(held, id);
    origins[id].store(never, std::memory_order_relaxed);
  }
  record.own_grid = planned.task.own_grid;
  Job * slots = planned.places != nullptr ? planned.places.get() : &places[id];
  JobQueue moved_to(slots, planned.task.queue + 1);
  if (record.jobs.lies_at(slots)) return;
  while (record.jobs.size() > moved_to.capacity()) {
    record.jobs.shrink(record.jobs.size() - 1);
    ++record.skipped;
    --pending;
  }
  for (std::uint32_t i = 0; i < record.jobs.size(); ++i) {
    started.replace(record.jobs[i], moved_to.push(record.jobs[i]));
  }
  old_jobs -= record.old - std::min(record.old, moved_to.size());
  record.old = std::min(record.old, moved_to.size());
  record.noticed = std::min(record.noticed, moved_to.size());
  record.jobs = moved_to;
}

// A timer that is added exactly at one of its points is released there: the source that it shares
// with others has passed that point.
void Scheduler::State::release_now(TaskId id, Time now) noexcept {
  const Task & task = timed(id);
  const bool due = plan->t0 && !plan->new_grid && records[id].timer && !records[id].own_grid &&
                   compiled->places[id].source != none && !quiescent;
  if (!due) return;
  const Time first = *plan->t0 + task.phase;
  const Time point = first + static_cast<Time>(first_point(task, first, now)) * task.period;
  if (point != now) return;
  enter(id);
  accept(records[id], id, now);
}

void Scheduler::State::aim(Time now) noexcept {
  ReleaseQueue & releases = compiled->releases;
  if (plan->aimed == scenario) {
    // Releases that were due while the plan was made have been made.
    while (releases.next() <= now) {
      const Duration period = releases.first().period;
      releases.postpone(releases.next() + ((now - releases.next()) / period + 1) * period);
    }
    for (const TaskId id : restarted) {
      const bool there = records[id].alive && records[id].own_grid;
      const std::uint32_t source = there ? compiled->places[id].source : none;
      if (source == none) continue;
      releases.set(source, plan->first_release(*compiled, id, origins, now));
    }
  } else {
    plan->aim(*compiled, origins, now);
  }
  for (const TaskId id : restarted) records[id].restarted = false;
  restarted.clear();
  for (const TaskId id : delayed) releases.push(compiled->places[id].source, records[id].earliest);
}

void Scheduler::State::drop_pending(TaskId id) noexcept {
  TaskRecord & record = records[id];
  const std::uint32_t kept = record.started ? 1 : 0;
  if (record.jobs.size() > kept && kept == 0) {
    if (compiled->before == nullptr) {
      ready.remove(record.jobs.front());
    } else {
      ready.drop(record.jobs.front());
    }
  }
  const std::uint32_t dropped = record.jobs.size() - kept;
  pending -= dropped;
  record.jobs.shrink(kept);
  const std::uint32_t old = std::min(record.old, kept);
  old_jobs -= record.old - old;
  record.old = old;
  record.noticed = std::min(record.noticed, kept);
  if (std::erase(delayed, id) > 0) compiled->releases.set(compiled->places[id].source, never);
  std::erase(held, id);
  record.delayed = record.held = 0;
  misses.forget(id);
  overruns.forget(id);
  exhaustions.forget(id);
  watch(id);
}

void Scheduler::State::keep_refreshed(const CompiledScenario & before) noexcept {
  if (before.inputs.empty() || compiled->inputs.empty()) return;
  for (const TaskId id : entering) {
    if (id >= before.inputs.size() || !compiled->aged(id)) continue;
    for (CompiledScenario::AgedInput & input : compiled->inputs[id]) {
      for (const CompiledScenario::AgedInput & old : before.inputs[id]) {
        if (old.newest == input.newest) input.refreshed_for = old.refreshed_for;
      }
    }
  }
}

void Scheduler::State::move_started() noexcept {
  moved.clear();
  const auto place = [this](const Job & job) -> const CompiledScenario::Place & {
    return compiled->places[job.task];
  };
  const auto level = [&](const Job & job) { return place(job).level; };
  started.move([&](const Job & job) { return level(job); },
               [this](Level from, Level to) { moved.push_back({from, to}); });
  started.raise_ceilings([&](const Job & job) { return std::max(place(job).ceiling, level(job)); });
  started.rank_anew([this](const Job & job) { return rank(job); });
}

// ---- looking ------------------------------------------------------------------------------------

namespace {

void demand_task(bool there, TaskId task) {
  if (!there) refuse("there is no task " + std::to_string(task));
}

}  // namespace

const Plan & Scheduler::plan() const noexcept {
  return *state_->plan;
}

Level Scheduler::levels() const noexcept {
  return state_->plan->levels;
}

Level Scheduler::level(TaskId task) const {
  demand_task(state_->alive(task), task);
  return state_->compiled->places[task].level;
}

Level Scheduler::ceiling(GroupId group) const {
  const auto & ceilings = state_->compiled->ceilings;
  if (group >= ceilings.size()) refuse("there is no group " + std::to_string(group));
  return ceilings[group];
}

const Task & Scheduler::task(TaskId task) const {
  demand_task(state_->alive(task), task);
  return state_->plan->task(task);
}

const Task & Scheduler::task_now(TaskId task) const {
  demand_task(state_->alive(task), task);
  return state_->timed(task);
}

bool Scheduler::suspended(TaskId task) const {
  demand_task(state_->alive(task), task);
  return state_->compiled->places[task].suspended;
}

TaskCounters Scheduler::counters(TaskId task) const {
  demand_task(state_->alive(task), task);
  return state_->records[task].counters();
}

std::optional<Time> Scheduler::grid() const noexcept {
  return state_->plan->t0;
}

const Policy & Scheduler::policy() const noexcept {
  return *state_->plan->scenarios.front().policy;
}

const Policy & Scheduler::policy_now() const noexcept {
  return *state_->compiled->policy;
}

}  // namespace takt::model
