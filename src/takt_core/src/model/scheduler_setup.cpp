// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that is configured: tasks, groups, levels, memory.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "scheduler_state.hpp"
#include "task_check.hpp"

namespace takt::model {

namespace {

[[noreturn]] void refuse(const std::string & what) {
  throw std::invalid_argument("scheduler: " + what);
}

std::unique_ptr<Policy> checked(std::unique_ptr<Policy> policy) {
  if (policy == nullptr) refuse("no policy given");
  return policy;
}

/// The number of the first point of the grid that is not before `now`.
std::uint64_t first_index(const Task & task, Time t0, Time now) {
  const Time first = t0 + task.phase;
  if (now <= first) return 0;
  return static_cast<std::uint64_t>((now - first + task.period - 1) / task.period);
}

}  // namespace

Scheduler::Scheduler(std::unique_ptr<Policy> policy, Level max_levels)
    : state_(std::make_unique<State>()) {
  if (max_levels < 1) refuse("max_levels must be at least 1");
  state_->max_levels = max_levels;
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
  releases.pause();
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
  state.change("add a task");
  TaskId id = 0;
  while (id < state.records.size() && state.records[id].alive) ++id;
  if (id == state.records.size()) {
    state.tasks.emplace_back();
    state.records.emplace_back();
  }
  state.tasks[id] = task;
  state.records[id] = TaskRecord{};
  state.records[id].deadline = task.deadline;
  state.records[id].watched =
      task.deadline != never && !(task.kind == TaskKind::timer && task.deadline == task.period);
  if (task.kind == TaskKind::timer && state.t0) {
    state.records[id].next_index = first_index(task, *state.t0, now);
  }
  return id;
}

void Scheduler::remove_task(TaskId task) {
  State & state = *state_;
  if (task >= state.records.size() || !state.records[task].alive) {
    refuse("there is no task " + std::to_string(task));
  }
  state.change("remove a task");
  state.pending -= state.records[task].jobs.size();
  state.records[task] = TaskRecord{};
  state.records[task].alive = false;
  state.misses.forget(task);
}

void Scheduler::set_policy(std::unique_ptr<Policy> policy) {
  state_->change("exchange the policy");
  state_->policy = checked(std::move(policy));
  state_->before = state_->policy->comparator();
  state_->ranks_tasks = state_->policy->ranks_tasks();
}

void Scheduler::start_grid(Time t0) {
  State & state = *state_;
  check_instant(t0, "t0 of the grid");
  state.change("start the grid");
  state.t0 = t0;
  for (TaskId id = 0; id < state.records.size(); ++id) {
    if (state.tasks[id].kind == TaskKind::timer) state.records[id].next_index = 0;
  }
}

void Scheduler::set_release_observer(void (*observer)(void *, const Job &, Release),
                                     void * context) noexcept {
  state_->observer = observer;
  state_->observer_context = context;
}

// ---- commit

void Scheduler::commit() {
  State & state = *state_;
  state.change("commit");
  state.make_levels();
  state.make_slots();
  state.make_releases();
  state.make_ready_again();
}

void Scheduler::State::make_levels() {
  const bool preemptive = policy->preemptive();
  std::vector<std::int64_t> ranks;
  for (TaskId id = 0; preemptive && id < tasks.size(); ++id) {
    if (records[id].alive) ranks.push_back(policy->preemption_rank(tasks[id]));
  }
  levels = preemptive ? Levels(std::move(ranks), max_levels) : Levels();
  ceilings.assign(groups.size(), 0);
  for (TaskId id = 0; id < tasks.size(); ++id) {
    TaskRecord & record = records[id];
    if (!record.alive) continue;
    record.level = preemptive ? levels.of(policy->preemption_rank(tasks[id])) : 1;
    const GroupId group = tasks[id].group;
    if (group != none) ceilings[group] = std::max(ceilings[group], record.level);
  }
  for (TaskId id = 0; id < tasks.size(); ++id) {
    const GroupId group = tasks[id].group;
    const bool exclusive = records[id].alive && group != none && groups[group]->exclusive;
    records[id].ceiling = exclusive ? ceilings[group] : records[id].level;
  }
  started.reserve(levels.count());
}

void Scheduler::State::make_slots() {
  std::size_t total = 0;
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (records[id].alive) total += tasks[id].queue + 1;
  }
  std::vector<Job> next(total);
  Job * place = next.data();
  for (TaskId id = 0; id < tasks.size(); ++id) {
    TaskRecord & record = records[id];
    if (!record.alive) continue;
    JobQueue jobs(place, tasks[id].queue + 1);
    for (std::uint32_t i = 0; i < record.jobs.size(); ++i) {
      jobs.push(record.jobs[i]).level = record.level;
    }
    if (ranks_tasks) jobs.set_urgency(policy->urgency(tasks[id], {}, application));
    record.jobs = jobs;
    place += jobs.capacity();
  }
  slots = std::move(next);
  misses.reserve(total);
}

void Scheduler::State::make_releases() {
  releases.clear();
  std::map<std::pair<Time, Duration>, std::vector<TaskId>> timers;
  for (TaskId id = 0; id < tasks.size(); ++id) {
    TaskRecord & record = records[id];
    const Task & task = tasks[id];
    if (!record.alive) continue;
    if (task.kind == TaskKind::timer && t0) {
      const Time next = *t0 + task.phase + static_cast<Time>(record.next_index) * task.period;
      timers[{next, task.period}].push_back(id);
    }
    if (task.kind != TaskKind::timer && task.period > 0) {
      record.source = releases.add(task.period, {id});
      if (record.delayed > 0) {
        releases.push(record.source, record.earliest - record.delayed * task.period);
      }
    }
  }
  for (auto & [when, members] : timers) {
    const auto & [next, period] = when;
    releases.push(releases.add(period, std::move(members)), next);
  }
}

void Scheduler::State::make_ready_again() {
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (!records[id].alive || records[id].jobs.empty()) continue;
    make_ready(id);
    if (records[id].watched) watch(id);
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
  if (group >= state_->ceilings.size() || !state_->groups[group]) {
    refuse("there is no group " + std::to_string(group));
  }
  return state_->ceilings[group];
}

const Task & Scheduler::task(TaskId task) const {
  demand_task(state_->records, task);
  return state_->tasks[task];
}

TaskCounters Scheduler::counters(TaskId task) const {
  demand_task(state_->records, task);
  return state_->records[task].counters();
}

}  // namespace takt::model
