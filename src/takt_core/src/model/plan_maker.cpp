// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "plan_maker.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "data_age.hpp"
#include "takt_core/model/timing.hpp"

namespace takt::model {

std::unique_ptr<CompiledPlan> PlanMaker::make(Setup & setup, const Outlook & outlook,
                                              Origins & origins) {
  auto plan = std::make_unique<CompiledPlan>();
  plan->tasks.reserve(setup.tasks_.size());
  for (const Setup::Member & member : setup.tasks_) {
    plan->tasks.push_back(member.planned);
    plan->present.push_back(member.stage == Setup::Stage::present);
  }
  for (const Setup::GroupEntry & entry : setup.groups_) plan->groups.push_back(entry.group);
  plan->t0 = setup.t0_;
  plan->grid = setup.grids_;
  plan->coming = setup.coming_;
  plan->changed = setup.changed_;
  plan->new_grid = setup.new_grid_;
  plan->new_scenarios = setup.new_scenarios_;
  plan->first = setup.first_;
  plan->anew = setup.anew_;

  const std::string_view name = setup.policy_->name();
  const bool held_down = setup.policy_->preemptive() && !setup.preemption_;
  plan->policy.append(held_down ? "np-" : "").append(name);
  plan->lowerable = setup.lowerable();
  plan->scenarios.resize(1 + setup.scenarios_.size());
  plan->scenarios.front().policy = setup.policy_;
  for (std::size_t i = 0; i < plan->scenarios.size(); ++i) {
    CompiledScenario & made = plan->scenarios[i];
    made.tasks.assign(plan->tasks.size(), nullptr);
    made.places.assign(plan->tasks.size(), {});
    for (TaskId id = 0; id < plan->tasks.size(); ++id) {
      if (plan->tasks[id] != nullptr) made.tasks[id] = &plan->tasks[id]->task;
    }
    if (i > 0) {
      const Setup::SharedScenario & scenario = setup.scenarios_[i - 1];
      made.policy = scenario.policy != nullptr ? scenario.policy : setup.policy_;
      for (const auto & [id, timing] : *scenario.timings) {
        made.timed.push_back(std::make_unique<Task>(timed(plan->task(id), timing)));
        made.tasks[id] = made.timed.back().get();
        made.places[id].suspended = timing.suspended;
      }
    }
    compile(setup, *plan, made);
    plan->levels = std::max(plan->levels, made.levels.count());
    plan->merged = std::max(plan->merged, made.levels.merged());
  }
  for (const TaskId id : plan->coming) origins[id].store(never, std::memory_order_relaxed);
  make_room(*plan);
  if (!plan->new_grid) {
    plan->aimed = plan->holding_after(outlook.scenario);
    plan->aim(plan->scenarios[plan->aimed], origins, outlook.now);
  }
  setup.coming_.clear();
  setup.changed_.clear();
  setup.new_grid_ = setup.new_scenarios_ = setup.anew_ = false;
  return plan;
}

void PlanMaker::compile(const Setup & setup, CompiledPlan & plan, CompiledScenario & made) const {
  made.before = made.policy->comparator();
  made.preempts = setup.preemption_ && made.policy->preemptive();
  made.ranks_tasks = made.policy->ranks_tasks();
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    plan.budgets = plan.budgets || (plan.present[id] && made.tasks[id]->budget != never);
  }
  make_levels(setup, plan, made);
  make_inputs(plan, made);
  make_sources(plan, made);
}

void PlanMaker::make_levels(const Setup & setup, const CompiledPlan & plan,
                            CompiledScenario & made) const {
  const std::size_t count = plan.tasks.size();
  std::vector<std::int64_t> rank(count);
  std::vector<std::int64_t> ranks;
  for (TaskId id = 0; made.preempts && id < count; ++id) {
    if (made.tasks[id] == nullptr) continue;
    rank[id] = made.policy->preemption_rank(*made.tasks[id]);
    ranks.push_back(rank[id]);
  }
  made.levels = made.preempts ? Levels(std::move(ranks), setup.max_levels_) : Levels();
  made.ceilings.assign(plan.groups.size(), 0);
  for (TaskId id = 0; id < count; ++id) {
    if (made.tasks[id] == nullptr) continue;
    Level & level = made.places[id].level;
    level = made.preempts ? made.levels.of(rank[id]) : 1;
    const GroupId group = made.tasks[id]->group;
    if (group != none) made.ceilings[group] = std::max(made.ceilings[group], level);
  }
  for (TaskId id = 0; id < count; ++id) {
    if (made.tasks[id] == nullptr) continue;
    CompiledScenario::Place & place = made.places[id];
    place.ceiling = plan.exclusive(id) ? made.ceilings[made.tasks[id]->group] : place.level;
  }
}

void PlanMaker::make_inputs(const CompiledPlan & plan, CompiledScenario & made) const {
  std::map<ChannelId, std::vector<TaskId>> producers;
  std::vector<TaskId> readers;
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    if (!plan.present[id]) continue;
    for (const ChannelId channel : made.tasks[id]->data.outputs) producers[channel].push_back(id);
    for (const Input & input : made.tasks[id]->data.inputs) {
      if (input.max_age != never && (readers.empty() || readers.back() != id)) {
        readers.push_back(id);
      }
    }
  }
  if (readers.empty()) return;
  made.inputs.resize(plan.tasks.size());
  for (const TaskId id : readers) {
    for (const Input & input : made.tasks[id]->data.inputs) {
      if (input.max_age == never) continue;
      made.inputs[id].push_back(
          {input.newest.get(), input.max_age, input.on_stale, producers[input.channel]});
    }
  }
}

// Those that may be stopped stay by themselves, whatever their grid; others of one timing are due
// together.
void PlanMaker::make_sources(const CompiledPlan & plan, CompiledScenario & made) const {
  std::vector<std::tuple<Duration, Duration, TaskId>> timers;
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    if (!plan.present[id]) continue;
    const Task & task = *made.tasks[id];
    const bool timer = task.kind == TaskKind::timer;
    if (timer && (made.places[id].suspended || (!task.own_grid && !plan.t0))) continue;
    if (timer && !plan.task(id).own_grid) {
      timers.emplace_back(task.phase, task.period, id);
    } else {
      made.places[id].source = made.releases.add(task.period, timer, {&id, 1});
    }
  }
  std::sort(timers.begin(), timers.end());
  std::vector<TaskId> members;
  for (std::size_t i = 0; i < timers.size(); i += members.size()) {
    const auto & [phase, period, first] = timers[i];
    members.clear();
    for (std::size_t j = i; j < timers.size(); ++j) {
      const auto & [other_phase, other_period, id] = timers[j];
      if (other_phase != phase || other_period != period) break;
      members.push_back(id);
    }
    const std::uint32_t source = made.releases.add(period, true, members);
    for (const TaskId id : members) made.places[id].source = source;
  }
}

void PlanMaker::make_room(CompiledPlan & plan) {
  // Whoever takes notices takes them at each decision, and what found no room is counted: a service
  // that keeps a thousand requests does not need a thousand places.
  constexpr std::size_t most_overruns = 64;
  std::size_t misses = 0;
  std::size_t overruns = 0;
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    if (plan.tasks[id] == nullptr) continue;
    const std::size_t jobs = std::size_t{plan.tasks[id]->task.queue} + 1;
    const bool may_miss = std::any_of(
        plan.scenarios.begin(), plan.scenarios.end(), [id](const CompiledScenario & scenario) {
          return scenario.tasks[id] != nullptr && scenario.tasks[id]->deadline != never;
        });
    if (may_miss) misses += jobs;
    // Those that wait, and some that are shed.
    overruns += 2 * std::min(jobs, most_overruns);
  }
  if (plan.tasks.size() <= tasks_ && misses <= misses_ && overruns <= overruns_) return;
  // Twice as much, so that many tasks that come one after the other do not have it taken each time.
  const auto grow = [](std::size_t & room, std::size_t wanted) {
    if (wanted > room) room = std::max(wanted, 2 * room);
  };
  grow(tasks_, plan.tasks.size());
  grow(misses_, misses);
  grow(overruns_, overruns);
  Room & room = plan.room.emplace();
  room.ready.reserve(tasks_);
  room.deadlines.reserve(tasks_);
  room.misses.resize(misses_);
  room.overruns.resize(overruns_);
  room.exhaustions.resize(tasks_);
  for (auto * list : {&room.delayed, &room.held, &room.lowered, &room.restarted, &room.entering}) {
    list->reserve(tasks_);
  }
}

// ---- instants -----------------------------------------------------------------------------------

ScenarioId CompiledPlan::holding_after(ScenarioId before) const noexcept {
  const bool stays =
      before < scenarios.size() && !anew && !(new_scenarios && before == base_scenario);
  if (stays) return before;
  return first < scenarios.size() ? first : base_scenario;
}

Time CompiledPlan::origin(const CompiledScenario & scenario, TaskId id,
                          const Origins & origins) const noexcept {
  const Task & task = *scenario.tasks[id];
  const bool own_grid = this->task(id).own_grid;
  const Time own = own_grid ? origins[id].load(std::memory_order_relaxed) : never;
  if (task.own_grid) return own;
  const bool stopped = own_grid && own == never;
  return t0 && !stopped ? *t0 + task.phase : never;
}

Time CompiledPlan::first_release(const CompiledScenario & scenario, TaskId id,
                                 const Origins & origins, Time after) const noexcept {
  const Time from = origin(scenario, id, origins);
  if (from == never) return never;
  const Task & task = *scenario.tasks[id];
  // Point 0 of a grid of its own was before its first release.
  const std::uint64_t least = task.own_grid ? 1 : 0;
  const std::uint64_t point = std::max(first_point(task, from, after + 1), least);
  return from + static_cast<Time>(point) * task.period;
}

void CompiledPlan::aim(CompiledScenario & scenario, const Origins & origins,
                       Time after) const noexcept {
  ReleaseQueue & releases = scenario.releases;
  releases.pause();
  for (std::uint32_t source = 0; source < releases.size(); ++source) {
    if (!releases.timer(source)) continue;
    const TaskId member = releases.members(source).front();
    // All that lies on a new grid begins with it.
    const bool begins = new_grid && !scenario.tasks[member]->own_grid;
    const Time at = first_release(scenario, member, origins, begins ? -never : after);
    if (at != never) releases.push(source, at);
  }
}

}  // namespace takt::model
