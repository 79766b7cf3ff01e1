// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "plan_maker.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "data_age.hpp"
#include "takt_core/model/timing.hpp"

namespace takt::model {

/// Data of all tasks in a scenario.
struct PlanMaker::Gathered {
  std::vector<std::int64_t> rank;   // indexed by task; used if the policy preempts
  std::vector<std::int64_t> ranks;  // the same with duplicates, without gaps
  std::vector<GroupId> group;       // indexed by task
  std::vector<TaskId> with_data;    // present tasks that read or publish
  // Present tasks that share sources with others of the same timing.
  std::vector<GridTimer> on_grid;
};

/// The greatest number of notices at a time, in any scenario.
struct PlanMaker::Notices {
  // Notices are taken at each decision, and those that find no room are counted: a service with a
  // queue of a thousand requests does not need a thousand places.
  static constexpr std::size_t most_overruns = 64;

  std::size_t misses = 0;
  std::size_t overruns = 0;
  std::vector<bool> may_miss;  // indexed by task: whether it is counted

  void count(TaskId id, const Task & task, bool first) {
    const std::size_t jobs = std::size_t{task.queue} + 1;
    if (task.deadline != never && !may_miss[id]) {
      may_miss[id] = true;
      misses += jobs;
    }
    // Room for overruns that are queued and some that are skipped.
    if (first) overruns += 2 * std::min(jobs, most_overruns);
  }
};

std::unique_ptr<CompiledPlan> PlanMaker::make(Setup & setup, const Outlook & outlook,
                                              Origins & origins) {
  auto plan = std::make_unique<CompiledPlan>();
  plan->tasks = setup.tasks_;
  plan->groups.reserve(setup.groups_.size());
  for (const Setup::GroupEntry & entry : setup.groups_) plan->groups.push_back(entry.group);
  plan->t0 = setup.t0_;
  plan->grid = setup.grids_;
  plan->coming = setup.coming_;
  plan->changed = setup.changed_;
  plan->new_grid = setup.new_grid_;
  plan->new_scenarios = setup.new_scenarios_;
  plan->first = setup.first_;
  plan->activate_first = setup.activate_first_;

  const std::string_view name = setup.policy_->name();
  const bool held_down = setup.policy_->preemptive() && !setup.preemption_;
  plan->policy.append(held_down ? "np-" : "").append(name);
  plan->lowerable = setup.lowerable();
  plan->scenarios.resize(1 + setup.scenarios_.size());
  Notices notices;
  notices.may_miss.resize(plan->tasks.size());
  for (std::size_t i = 0; i < plan->scenarios.size(); ++i) {
    compile(setup, *plan, i, notices);
    plan->levels = std::max(plan->levels, plan->scenarios[i].levels.count());
    plan->merged = std::max(plan->merged, plan->scenarios[i].levels.merged());
  }
  for (const TaskId id : plan->coming) origins[id].store(never, std::memory_order_relaxed);
  make_room(*plan, notices);
  if (!plan->new_grid) {
    plan->aimed = plan->holding_after(outlook.scenario);
    plan->aim(plan->scenarios[plan->aimed], origins, outlook.now);
  }
  setup.coming_.clear();
  setup.changed_.clear();
  setup.new_grid_ = setup.new_scenarios_ = setup.activate_first_ = false;
  return plan;
}

void PlanMaker::compile(const Setup & setup, CompiledPlan & plan, std::size_t scenario,
                        Notices & notices) {
  CompiledScenario & made = plan.scenarios[scenario];
  const std::size_t count = plan.tasks.size();
  made.tasks.resize(count);
  made.places.resize(count);
  for (TaskId id = 0; id < count; ++id) {
    const PlannedTask * planned = plan.tasks[id].planned.get();
    made.tasks[id] = planned != nullptr ? &planned->task : nullptr;
  }
  made.policy = setup.policy_;
  if (scenario > 0) {
    const Setup::SharedScenario & given = setup.scenarios_[scenario - 1];
    if (given.policy != nullptr) made.policy = given.policy;
    for (const auto & [id, timing] : *given.timings) {
      made.timed.push_back(std::make_unique<Task>(timed(plan.task(id), timing)));
      made.tasks[id] = made.timed.back().get();
      made.places[id].suspended = timing.suspended;
    }
  }
  made.before = made.policy->comparator();
  made.preempts = setup.preemption_ && made.policy->preemptive();
  made.ranks_tasks = made.policy->ranks_tasks();

  Gathered all;
  all.rank.resize(made.preempts ? count : 0);
  all.group.resize(count, none);
  made.releases.reserve(count);
  for (TaskId id = 0; id < count; ++id) {
    if (made.tasks[id] == nullptr) continue;
    notices.count(id, *made.tasks[id], scenario == 0);
    gather(plan, made, id, all);
  }
  make_levels(plan, made, all, setup.max_levels_);
  make_inputs(plan, made, all);
  make_sources(made, all);
}

/// Tasks are scattered over the heap, so each one is visited only once.
void PlanMaker::gather(CompiledPlan & plan, CompiledScenario & made, TaskId id, Gathered & all) {
  const Task & task = *made.tasks[id];
  all.group[id] = task.group;
  if (made.preempts) {
    const std::int64_t rank = all.rank[id] = made.policy->preemption_rank(task);
    if (all.ranks.empty() || all.ranks.back() != rank) all.ranks.push_back(rank);
  }
  if (plan.tasks[id].stage != Member::Stage::present) return;
  plan.budgets = plan.budgets || task.budget != never;
  if (!task.data.inputs.empty() || !task.data.outputs.empty()) all.with_data.push_back(id);
  const bool timer = task.kind == TaskKind::timer;
  if (timer && (made.places[id].suspended || (!task.own_grid && !plan.t0))) return;
  // Timers with a grid of their own, which may be stopped, do not share a source.
  if (timer && !plan.task(id).own_grid) {
    all.on_grid.emplace_back(task.phase, task.period, id);
  } else {
    made.places[id].source = made.releases.add(task.period, timer, {&id, 1});
  }
}

void PlanMaker::make_levels(const CompiledPlan & plan, CompiledScenario & made, Gathered & all,
                            Level most) {
  if (made.preempts) made.levels = Levels(std::move(all.ranks), most);
  made.ceilings.assign(plan.groups.size(), 0);
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    if (made.tasks[id] == nullptr) continue;
    Level & level = made.places[id].level;
    const bool as_before = id > 0 && made.preempts && all.rank[id] == all.rank[id - 1] &&
                           made.tasks[id - 1] != nullptr;
    if (as_before) {
      level = made.places[id - 1].level;
    } else {
      level = made.preempts ? made.levels.of(all.rank[id]) : 1;
    }
    if (all.group[id] != none) {
      Level & ceiling = made.ceilings[all.group[id]];
      ceiling = std::max(ceiling, level);
    }
  }
  for (TaskId id = 0; id < plan.tasks.size(); ++id) {
    CompiledScenario::Place & place = made.places[id];
    const bool exclusive = all.group[id] != none && plan.groups[all.group[id]].exclusive;
    place.ceiling = exclusive ? made.ceilings[all.group[id]] : place.level;
  }
}

void PlanMaker::make_inputs(const CompiledPlan & plan, CompiledScenario & made,
                            const Gathered & all) {
  std::map<ChannelId, std::vector<TaskId>> producers;
  std::vector<TaskId> readers;
  const auto matters = [](const Input & input) { return input.max_age != never; };
  for (const TaskId id : all.with_data) {
    const DataFlow & data = made.tasks[id]->data;
    for (const ChannelId channel : data.outputs) producers[channel].push_back(id);
    if (std::any_of(data.inputs.begin(), data.inputs.end(), matters)) readers.push_back(id);
  }
  if (readers.empty()) return;
  made.inputs.resize(plan.tasks.size());
  for (const TaskId id : readers) {
    for (const Input & input : made.tasks[id]->data.inputs) {
      if (!matters(input)) continue;
      made.inputs[id].push_back(
          {input.newest.get(), input.max_age, input.on_stale, producers[input.channel]});
    }
  }
}

void PlanMaker::make_sources(CompiledScenario & made, Gathered & all) {
  std::vector<GridTimer> & timers = all.on_grid;
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

void PlanMaker::make_room(CompiledPlan & plan, const Notices & notices) {
  if (plan.tasks.size() <= tasks_ && notices.misses <= misses_ && notices.overruns <= overruns_) {
    return;
  }
  // Doubling, so that adding many tasks one by one does not reallocate each time.
  const auto grow = [](std::size_t & room, std::size_t wanted) {
    if (wanted > room) room = std::max(wanted, 2 * room);
  };
  grow(tasks_, plan.tasks.size());
  grow(misses_, notices.misses);
  grow(overruns_, notices.overruns);
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
      before < scenarios.size() && !activate_first && !(new_scenarios && before == base_scenario);
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
  // The point 0 of a grid of its own lies before its first release.
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
    // Timers on a new grid begin with it.
    const bool begins = new_grid && !scenario.tasks[member]->own_grid;
    const Time at = first_release(scenario, member, origins, begins ? -never : after);
    if (at != never) releases.push(source, at);
  }
}

}  // namespace takt::model
