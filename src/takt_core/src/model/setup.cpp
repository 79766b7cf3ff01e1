// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/setup.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

#include "data_age.hpp"
#include "takt_core/model/task_check.hpp"
#include "takt_core/model/timing.hpp"

namespace takt::model {
namespace {

std::shared_ptr<Policy> checked(std::shared_ptr<Policy> policy) {
  if (policy == nullptr) refuse("no policy given");
  return policy;
}

void demand(bool there, const char * what, std::uint32_t number) {
  if (!there) refuse(std::string("there is no ") + what + " " + std::to_string(number));
}

std::size_t may_be_lowered(const Task & task) noexcept {
  return task.on_budget == OnBudget::background ? 1 : 0;
}

std::shared_ptr<Job[]> places_of(const Task & task) {
  // Most timers have room for a single job, which is stored with those of other tasks.
  return task.queue > 0 ? std::make_shared<Job[]>(task.queue + 1) : nullptr;
}

}  // namespace

Setup::Setup(std::shared_ptr<Policy> policy, Level max_levels)
    : policy_(checked(std::move(policy))), max_levels_(max_levels) {
  if (max_levels < 1) refuse("max_levels must be at least 1");
}

// ---- groups

GroupId Setup::add_group(Group group) {
  const auto free = std::find_if(groups_.begin(), groups_.end(), [](const GroupEntry & entry) {
    return entry.stage == Stage::absent;
  });
  const auto id = static_cast<GroupId>(free - groups_.begin());
  if (free == groups_.end()) groups_.emplace_back();
  groups_[id] = {group, Stage::present};
  return id;
}

void Setup::remove_group(GroupId group) {
  demand(group < groups_.size() && groups_[group].stage == Stage::present, "group", group);
  const auto of_group = [group](const Member & member) {
    return member.stage == Stage::present && member.planned->task.group == group;
  };
  if (groups_[group].present > 0) {
    const Member & one = tasks_[tasks_.find_if(of_group)];
    refuse("group " + std::to_string(group) + " still has task '" + one.planned->task.id + "'");
  }
  groups_[group].stage = groups_[group].leaving > 0 ? Stage::leaving : Stage::absent;
}

void Setup::leave_group(GroupId group) noexcept {
  if (group == none) return;
  GroupEntry & entry = groups_[group];
  if (--entry.leaving == 0 && entry.stage == Stage::leaving) entry.stage = Stage::absent;
}

void Setup::join(const Task & task) noexcept {
  if (task.group == none) return;
  ++groups_[task.group].present;
  if (task.on_budget == OnBudget::background) ++groups_[task.group].background;
}

void Setup::part(const Task & task) noexcept {
  if (task.group == none) return;
  --groups_[task.group].present;
  if (task.on_budget == OnBudget::background) --groups_[task.group].background;
}

// A task of the group could wait for a job in the background for ever.
void Setup::check_group(const Task & task) const {
  if (task.group == none) return;
  if (task.group >= groups_.size() || groups_[task.group].stage != Stage::present) {
    refuse("task '" + task.id + "': there is no group " + std::to_string(task.group));
  }
  const GroupEntry & entry = groups_[task.group];
  const bool added = task.on_budget == OnBudget::background;
  if (!entry.group.exclusive || (added ? entry.present : entry.background) == 0) return;
  const auto against = [&](const Member & member) {
    return member.stage == Stage::present && member.planned->task.group == task.group &&
           (added || member.planned->task.on_budget == OnBudget::background);
  };
  const std::size_t found = tasks_.find_if(against);
  if (found == tasks_.size()) return;
  const Task & other = tasks_[found].planned->task;
  refuse("task '" + (added ? task.id : other.id) + "' may go on in the background, and '" +
         (added ? other.id : task.id) +
         "' of its exclusive group would wait for it: give it a group of its own, or a reentrant "
         "one");
}

// ---- tasks

std::vector<const Task *> Setup::present() const {
  std::vector<const Task *> all(tasks_.size(), nullptr);
  for (std::size_t id = 0; id < tasks_.size(); ++id) {
    if (tasks_[id].stage == Stage::present) all[id] = &tasks_[id].planned->task;
  }
  return all;
}

TaskId Setup::add_task(const Task & given) {
  check_task(given);
  check_group(given);
  Task task = given;
  if (!task.data.inputs.empty() || !task.data.outputs.empty()) {
    make_newest(task.data);
    std::vector<const Task *> all = present();
    all.push_back(&task);
    check_data(all);
  }
  auto planned = std::make_shared<const PlannedTask>(PlannedTask{task, places_of(task)});
  const auto is_absent = [](const Member & member) { return member.stage == Stage::absent; };
  const auto id = static_cast<TaskId>(absent_ == 0 ? tasks_.size() : tasks_.find_if(is_absent));
  Member member{std::move(planned), Stage::present};
  if (id == tasks_.size()) {
    tasks_.push_back(std::move(member));
  } else {
    tasks_.edit(id) = std::move(member);
    --absent_;
  }
  lowerable_ += may_be_lowered(task);
  join(task);
  coming_.push_back(id);
  return id;
}

void Setup::change_task(TaskId id, const Task & given) {
  demand(contains(id), "task", id);
  const PlannedTask & before = *tasks_[id].planned;
  Task next = given;
  next.group = before.task.group;
  next.data = before.task.data;
  check_task(next);
  if (next.on_budget != before.task.on_budget) {
    // Its `on_budget` changes, so it is counted anew in its group, without itself.
    Member & member = tasks_.edit(id);
    member.stage = Stage::leaving;
    part(before.task);
    const auto back = [&](const Task & task) {
      member.stage = Stage::present;
      join(task);
    };
    try {
      check_group(next);
    } catch (...) {
      back(before.task);
      throw;
    }
    back(next);
  }
  const bool same_places = next.queue == before.task.queue;
  PlannedTask planned{std::move(next), same_places ? before.places : places_of(given)};
  lowerable_ += may_be_lowered(planned.task);
  lowerable_ -= may_be_lowered(before.task);
  tasks_.edit(id).planned = std::make_shared<const PlannedTask>(std::move(planned));
  changed_.push_back(id);
}

void Setup::remove_task(TaskId id, bool started) {
  demand(contains(id), "task", id);
  std::erase(coming_, id);
  std::erase(changed_, id);
  tasks_.edit(id).stage = Stage::leaving;
  const Task & task = tasks_[id].planned->task;
  part(task);
  if (task.group != none) ++groups_[task.group].leaving;
  if (!started) forget(id);
}

void Setup::forget(TaskId id) {
  if (id >= tasks_.size() || tasks_[id].stage != Stage::leaving) return;
  for (SharedScenario & scenario : scenarios_) {
    if (!scenario.timings->contains(id)) continue;
    auto timings = *scenario.timings;
    timings.erase(id);
    scenario.timings = std::make_shared<const std::map<TaskId, Timing>>(std::move(timings));
  }
  const Task & task = tasks_[id].planned->task;
  leave_group(task.group);
  lowerable_ -= may_be_lowered(task);
  tasks_.edit(id) = {};
  ++absent_;
}

bool Setup::contains(TaskId id) const noexcept {
  return id < tasks_.size() && tasks_[id].stage == Stage::present;
}

const Task & Setup::task(TaskId id) const {
  demand(contains(id), "task", id);
  return tasks_[id].planned->task;
}

// ---- all else

void Setup::set_policy(std::shared_ptr<Policy> policy) {
  policy_ = checked(std::move(policy));
}

bool Setup::wants_preemption() const noexcept {
  const auto preempts = [](const SharedScenario & scenario) {
    return scenario.policy != nullptr && scenario.policy->preemptive();
  };
  return policy_->preemptive() || std::any_of(scenarios_.begin(), scenarios_.end(), preempts);
}

void Setup::start_grid(Time t0) {
  check_instant(t0, "t0 of the grid");
  t0_ = t0;
  ++grids_;
  new_grid_ = true;
}

void Setup::set_data_flow(const std::map<TaskId, DataFlow> & data) {
  std::map<TaskId, std::shared_ptr<const PlannedTask>> changed;
  for (const auto & [id, flow] : data) demand(contains(id), "task", id);
  std::vector<const Task *> all = present();
  for (TaskId id = 0; id < tasks_.size(); ++id) {
    if (all[id] == nullptr) continue;
    const auto given = data.find(id);
    DataFlow flow = given != data.end() ? given->second : DataFlow{};
    if (flow == all[id]->data) continue;
    make_newest(flow);
    PlannedTask next = *tasks_[id].planned;
    next.task.data = std::move(flow);
    const auto & made = changed[id] = std::make_shared<const PlannedTask>(std::move(next));
    all[id] = &made->task;
  }
  check_data(all);
  for (auto & [id, task] : changed) tasks_.edit(id).planned = std::move(task);
}

void Setup::check_data(const std::vector<const Task *> & all) const {
  check_inputs(all);
  for (const SharedScenario & scenario : scenarios_) {
    std::vector<Task> timed_tasks;
    timed_tasks.reserve(scenario.timings->size());
    std::vector<const Task *> with = all;
    for (const auto & [id, timing] : *scenario.timings) {
      if (id < with.size() && with[id] != nullptr) {
        with[id] = &timed_tasks.emplace_back(timed(*with[id], timing));
      }
    }
    check_inputs(with);
  }
}

void Setup::set_scenarios(std::vector<Scenario> scenarios, ScenarioId first, bool activate_first) {
  const std::vector<const Task *> base = present();
  std::vector<SharedScenario> made;
  for (Scenario & scenario : scenarios) {
    std::vector<Task> timed_tasks;
    timed_tasks.reserve(scenario.timings.size());
    std::vector<const Task *> all = base;
    for (const auto & [id, timing] : scenario.timings) {
      if (!contains(id)) {
        refuse("a scenario names task " + std::to_string(id) + ", which does not exist");
      }
      all[id] = &timed_tasks.emplace_back(timed(*base[id], timing));
      check_task(*all[id]);
    }
    check_inputs(all);
    made.push_back({std::move(scenario.policy),
                    std::make_shared<const std::map<TaskId, Timing>>(std::move(scenario.timings))});
  }
  scenarios_ = std::move(made);
  new_scenarios_ = true;
  first_ = first;
  activate_first_ = activate_first_ || activate_first;
}

bool Setup::has_timings(const std::vector<std::map<TaskId, Timing>> & timings) const {
  const auto present = std::views::filter([this](const auto & of) { return contains(of.first); });
  return std::equal(scenarios_.begin(), scenarios_.end(), timings.begin(), timings.end(),
                    [&](const SharedScenario & scenario, const std::map<TaskId, Timing> & given) {
                      return std::ranges::equal(*scenario.timings | present, given | present);
                    });
}

}  // namespace takt::model
