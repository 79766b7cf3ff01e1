// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that is configured: tasks, groups, levels, memory.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "scheduler_state.hpp"
#include "task_check.hpp"
#include "timing.hpp"

namespace takt::model {

namespace {

std::unique_ptr<Policy> checked(std::unique_ptr<Policy> policy) {
  if (policy == nullptr) refuse("no policy given");
  return policy;
}

}  // namespace

Scheduler::Scheduler(std::unique_ptr<Policy> policy, Level max_levels)
    : state_(std::make_unique<State>()) {
  if (max_levels < 1) refuse("max_levels must be at least 1");
  state_->max_levels = max_levels;
  state_->scenes.push_back(std::make_unique<Scene>());
  state_->scene = state_->scenes.front().get();
  set_policy(std::move(policy));
}

Scheduler::~Scheduler() = default;
Scheduler::Scheduler(Scheduler &&) noexcept = default;
Scheduler & Scheduler::operator=(Scheduler &&) noexcept = default;

void Scheduler::State::change(const char * what) {
  if (!started.empty()) refuse(std::string("cannot ") + what + " while a job is started");
  // Nothing of what was made of the old tasks may act before commit() makes it anew.
  ready.reserve(records.size());
  deadlines.reserve(records.size());
  for (const auto & each : scenes) {
    if (each != nullptr) each->releases.pause();
  }
}

// ---- groups

GroupId Scheduler::add_group(Group group) {
  state_->change("add a group");
  auto & groups = state_->groups;
  GroupId id = 0;
  while (id < groups.size() && groups[id].has_value()) ++id;
  if (id == groups.size()) groups.emplace_back();
  groups[id] = group;
  return id;
}

void Scheduler::remove_group(GroupId group) {
  state_->change("remove a group");
  auto & groups = state_->groups;
  if (group >= groups.size() || !groups[group])
    refuse("there is no group " + std::to_string(group));
  for (TaskId id = 0; id < state_->tasks.size(); ++id) {
    if (state_->records[id].alive && state_->tasks[id].group == group) {
      refuse("group " + std::to_string(group) + " still has task '" + state_->tasks[id].id + "'");
    }
  }
  groups[group].reset();
}

// ---- tasks

TaskId Scheduler::add_task(const Task & task, Time now) {
  State & state = *state_;
  check_task(task);
  if (task.group != none && (task.group >= state.groups.size() || !state.groups[task.group])) {
    refuse("task '" + task.id + "': there is no group " + std::to_string(task.group));
  }
  state.check_group(task);
  if (!task.data.inputs.empty() || !task.data.outputs.empty()) {
    std::vector<Task> all = state.tasks;
    all.push_back(task);
    state.check_data(all);
  }
  state.change("add a task");
  TaskId id = 0;
  while (id < state.records.size() && state.records[id].alive) ++id;
  if (id == state.records.size()) {
    state.tasks.emplace_back();
    state.records.emplace_back();
  }
  state.tasks[id] = task;
  make_newest(state.tasks[id].data);
  state.records[id] = TaskRecord{};
  if (task.kind == TaskKind::timer && !task.own_grid && state.t0) {
    state.records[id].next_index = first_point(task, *state.t0 + task.phase, now);
  }
  return id;
}

void Scheduler::remove_task(TaskId task) {
  State & state = *state_;
  if (task >= state.records.size() || !state.records[task].alive) {
    refuse("there is no task " + std::to_string(task));
  }
  if (state.records[task].lowered) {
    refuse("task '" + state.tasks[task].id + "' still has a job in the background");
  }
  state.change("remove a task");
  state.pending -= state.records[task].jobs.size();
  state.old_jobs -= state.records[task].old;
  for (const auto & scene : state.scenes) {
    if (scene != nullptr) scene->scenario.timings.erase(task);
  }
  state.records[task] = TaskRecord{};
  state.records[task].alive = false;
  state.tasks[task].data = {};
  state.misses.forget(task);
  state.overruns.forget(task);
  state.exhaustions.forget(task);
}

void Scheduler::set_policy(std::unique_ptr<Policy> policy) {
  state_->change("exchange the policy");
  state_->policy = checked(std::move(policy));
}

void Scheduler::start_grid(Time t0) {
  State & state = *state_;
  check_instant(t0, "t0 of the grid");
  state.change("start the grid");
  state.t0 = t0;
  for (TaskId id = 0; id < state.records.size(); ++id) {
    if (state.tasks[id].kind != TaskKind::timer) continue;
    TaskRecord & record = state.records[id];
    if (!state.tasks[id].own_grid) {
      record.next_index = record.off_grid = 0;
    } else if (id < state.scene->tasks.size() && !state.scene->tasks[id].own_grid) {
      record.off_grid = record.next_index;
    }
  }
}

void Scheduler::tell_overruns(bool tell) noexcept {
  state_->tells_overruns = tell;
}

void Scheduler::set_release_observer(void (*observer)(void *, const ReleaseNotice &),
                                     void * context) noexcept {
  state_->observer = observer;
  state_->observer_context = context;
}

// ---- commit

void Scheduler::commit() {
  State & state = *state_;
  state.change("commit");
  for (const auto & scene : state.scenes) {
    if (scene != nullptr) state.make_scene(*scene);
  }
  state.started.reserve(state.most_levels());
  state.budgets.reserve(state.tasks.size());
  state.make_slots();
  state.make_ready_again();
}

void Scheduler::State::make_scene(Scene & made) {
  made.policy = made.scenario.policy != nullptr ? made.scenario.policy.get() : policy.get();
  made.before = made.policy->comparator();
  made.preempts = made.policy->preemptive();
  made.ranks_tasks = made.policy->ranks_tasks();
  made.tasks = tasks;
  made.places.assign(tasks.size(), {});
  for (const auto & [id, timing] : made.scenario.timings) {
    made.tasks[id] = timed(tasks[id], timing);
    made.places[id].suspended = timing.suspended;
  }
  make_levels(made);
  make_inputs(made);
  make_sources(made);
}

void Scheduler::State::make_levels(Scene & made) const {
  const bool preemptive = made.policy->preemptive();
  const auto rank = [&](TaskId id) { return made.policy->preemption_rank(made.tasks[id]); };
  std::vector<std::int64_t> ranks;
  for (TaskId id = 0; preemptive && id < tasks.size(); ++id) {
    if (records[id].alive) ranks.push_back(rank(id));
  }
  made.levels = preemptive ? Levels(std::move(ranks), max_levels) : Levels();
  made.ceilings.assign(groups.size(), 0);
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (!records[id].alive) continue;
    Level & level = made.places[id].level;
    level = preemptive ? made.levels.of(rank(id)) : 1;
    const GroupId group = tasks[id].group;
    if (group != none) made.ceilings[group] = std::max(made.ceilings[group], level);
  }
  for (TaskId id = 0; id < tasks.size(); ++id) {
    made.places[id].ceiling =
        exclusive(id) ? made.ceilings[tasks[id].group] : made.places[id].level;
  }
}

Level Scheduler::State::most_levels() const noexcept {
  Level most = 1;
  for (const auto & each : scenes) {
    if (each != nullptr) most = std::max(most, each->levels.count());
  }
  return most;
}

// Queues of one place lie apart from the long ones: most timers have one, and those of one instant
// then share few pages and lines.
void Scheduler::State::make_slots() {
  std::vector<SlotArea::Wanted> single;
  std::vector<SlotArea::Wanted> longer;
  std::size_t total = 0;
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (!records[id].alive) continue;
    const std::uint32_t capacity = tasks[id].queue + 1;
    (capacity == 1 ? single : longer).push_back({&records[id].jobs, capacity});
    total += capacity;
  }
  single_slots.lay(single);
  slots.lay(longer);
  misses.reserve(total);
  overruns.reserve(2 * total);  // of each task those that wait, and some that are shed
  exhaustions.reserve(tasks.size());
}

// Sources are the same however often the scenario is entered; only when they are due differs.
void Scheduler::State::make_sources(Scene & made) const {
  made.releases.clear();
  std::map<std::tuple<Duration, Duration, std::uint64_t>, std::vector<TaskId>> timers;
  for (TaskId id = 0; id < tasks.size(); ++id) {
    const Task & task = made.tasks[id];
    if (!records[id].alive) continue;
    const bool timer = task.kind == TaskKind::timer;
    if (timer && (made.places[id].suspended || (!task.own_grid && !t0))) continue;
    // Those that may be stopped stay by themselves, whatever their grid.
    if (!timer || tasks[id].own_grid) {
      made.places[id].source = made.releases.add(task.period, timer, {&id, 1});
    } else {
      // In the scenario that holds a task may be behind others of its timing.
      const std::uint64_t next = &made == scene ? records[id].next_point() : 0;
      timers[{task.phase, task.period, next}].push_back(id);
    }
  }
  for (auto & [timing, members] : timers) {
    const std::uint32_t source = made.releases.add(std::get<1>(timing), true, members);
    for (const TaskId id : members) made.places[id].source = source;
  }
}

void Scheduler::State::make_ready_again() {
  for (TaskId id = 0; id < tasks.size(); ++id) {
    TaskRecord & record = records[id];
    if (!record.alive) continue;
    enter(id);
    if (!record.jobs.empty() && !record.started) make_ready(id);
  }
  if (aim_from) {
    aim_timers(*std::exchange(aim_from, std::nullopt));
    return;
  }
  for (std::uint32_t source = 0; source < scene->releases.size(); ++source) {
    const TaskId first = scene->releases.members(source).front();
    if (!scene->releases.timer(source)) continue;
    const Task & task = scene->tasks[first];
    const Time from = origin(first);
    if (from == never) continue;
    const auto next = static_cast<Time>(records[first].next_point());
    scene->releases.push(source, from + next * task.period);
  }
}

// ---- looking

namespace {

template <typename Records>
void demand_task(const Records & records, TaskId task) {
  if (task >= records.size() || !records[task].alive)
    refuse("there is no task " + std::to_string(task));
}

}  // namespace

Level Scheduler::level(TaskId task) const {
  demand_task(state_->records, task);
  return state_->records[task].level;
}

Level Scheduler::ceiling(GroupId group) const {
  const auto & ceilings = state_->scene->ceilings;
  if (group >= ceilings.size() || !state_->groups[group]) {
    refuse("there is no group " + std::to_string(group));
  }
  return ceilings[group];
}

const Task & Scheduler::task(TaskId task) const {
  demand_task(state_->records, task);
  return state_->tasks[task];
}

const Task & Scheduler::task_now(TaskId task) const {
  demand_task(state_->records, task);
  return state_->scene->tasks[task];
}

bool Scheduler::suspended(TaskId task) const {
  demand_task(state_->records, task);
  return state_->records[task].suspended;
}

TaskCounters Scheduler::counters(TaskId task) const {
  demand_task(state_->records, task);
  return state_->records[task].counters();
}

}  // namespace takt::model
