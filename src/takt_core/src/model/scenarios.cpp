// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that changes from one scenario to another.
#include <span>
#include <string>
#include <utility>

#include "scheduler_state.hpp"
#include "task_check.hpp"
#include "timing.hpp"

namespace takt::model {

void Scheduler::set_scenarios(std::vector<Scenario> scenarios, Time now, ScenarioId first) {
  State & state = *state_;
  for (const Scenario & scenario : scenarios) {
    std::vector<Task> all = state.tasks;
    for (const auto & [id, timing] : scenario.timings) {
      if (id >= state.records.size() || !state.records[id].alive) {
        refuse("a scenario names task " + std::to_string(id) + ", which does not exist");
      }
      all[id] = timed(state.tasks[id], timing);
      check_task(all[id]);
    }
    check_inputs(all);
  }
  state.change("exchange the scenarios");
  state.scenes.resize(1);
  for (Scenario & scenario : scenarios) {
    state.scenes.push_back(std::make_unique<Scene>());
    state.scenes.back()->scenario = std::move(scenario);
  }
  if (state.scenario == base_scenario || state.scenario >= state.scenes.size()) {
    state.scenario = first < state.scenes.size() ? first : base_scenario;
  }
  state.scene = state.scenes[state.scenario].get();
  state.aim_from = now;
}

ScenarioId Scheduler::scenario() const noexcept {
  return state_->scenario;
}

void Scheduler::set_scenario(ScenarioId scenario, Time now) noexcept {
  state_->set_scenario(scenario, now);
}

void Scheduler::State::set_scenario(ScenarioId to, Time now) noexcept {
  if (to >= scenes.size() || scenes[to] == nullptr || to == scenario) return;
  make_due(now, now);
  notice_due(now, now);
  scenario = to;
  scene = scenes[to].get();
  scene->releases.pause();
  hold = never;
  ready.clear();
  old_jobs = 0;
  for (TaskId id = 0; id < records.size(); ++id) {
    TaskRecord & record = records[id];
    if (!record.alive) continue;
    record.old = record.jobs.size();
    old_jobs += record.old;
    enter(id);
    if (!record.jobs.empty() && !record.started) make_ready(id);
  }
  started.raise_ceilings(
      [this](const Job & job) { return exclusive(job.task) ? records[job.task].ceiling : 0; });
  started.rank_anew([this](const Job & job) { return rank(job); });
  aim_timers(now);
  for (TaskId id = 0; id < records.size(); ++id) {
    TaskRecord & record = records[id];
    for (; record.held > 0 && !record.suspended; --record.held) release(id, now, now);
  }
}

void Scheduler::State::enter(TaskId id) noexcept {
  TaskRecord & record = records[id];
  const Task & task = scene->tasks[id];
  const Scene::Place & place = scene->places[id];
  record.deadline = task.deadline;
  record.level = place.level;
  record.ceiling = place.ceiling;
  record.suspended = place.suspended;
  if (scene->ranks_tasks) {
    record.jobs.set_urgency(scene->policy->urgency(task, {}, application));
  }
  record.budgeted = task.budget != never;
  record.aged = !scene->inputs[id].empty();
  for (std::uint32_t i = record.started ? 1 : 0; i < record.jobs.size(); ++i) {
    Job & job = record.jobs[i];
    job.deadline = deadline_of(record, job.release);
    job.level = record.level;
  }
  set_watched(id);
  if (record.watched) watch(id);
  if (record.delayed > 0) scene->releases.push(place.source, record.earliest);
}

void Scheduler::State::set_watched(TaskId id) noexcept {
  TaskRecord & record = records[id];
  // Jobs of before a switch, and extra ones, were not released on the grid that holds now.
  record.watched = has_own_deadline(scene->tasks[id]) || record.old > 0 || record.extra;
  if (!record.watched) deadlines.erase(id);
}

void Scheduler::State::leave_old(TaskId id, Time now) noexcept {
  TaskRecord & record = records[id];
  if (--old_jobs == 0) change_ended = now;
  if (--record.old > 0) return;
  set_watched(id);
}

void Scheduler::State::aim_timers(Time now) noexcept {
  ReleaseQueue & releases = scene->releases;
  for (std::uint32_t source = 0; source < releases.size(); ++source) {
    if (!releases.timer(source)) continue;
    const std::span<const TaskId> members = releases.members(source);
    const Task & task = scene->tasks[members.front()];
    const Time from = origin(members.front());
    if (from == never) continue;
    const std::uint64_t next = first_point(task, from, now + 1);
    for (const TaskId id : members) records[id].off_grid = records[id].next_index - next;
    releases.push(source, from + static_cast<Time>(next) * task.period);
  }
}

}  // namespace takt::model
