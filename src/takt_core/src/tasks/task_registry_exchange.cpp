// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the registry of tasks that makes changes on processors.
#include <algorithm>
#include <exception>
#include <utility>

#include "binding.hpp"
#include "takt_core/tasks/current_job.hpp"
#include "takt_core/tasks/task_names.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {
namespace {

bool same(const model::Task & a, const model::Task & b) noexcept {
  return a.id == b.id && a.kind == b.kind && a.period == b.period && a.phase == b.phase &&
         a.rank_period == b.rank_period && a.deadline == b.deadline && a.priority == b.priority &&
         a.queue == b.queue && a.own_grid == b.own_grid && a.budget == b.budget &&
         a.on_budget == b.on_budget;
}

}  // namespace

/// The part of an edit that concerns one processor. Until the processor has made the change, the
/// bindings stay as they were.
class TaskRegistry::Exchange {
 public:
  Exchange(TaskRegistry & registry, const Edit & edit, std::size_t processor)
      : registry_(registry), processor_(processor) {
    for (const auto & binding : edit.drop) {
      if (binding->bound && binding->processor == processor) going_.push_back(binding.get());
    }
    for (const Edit::Put & put : edit.put) {
      if (put.processor != processor) continue;
      Binding & binding = *put.binding;
      if (!binding.bound) {
        coming_.push_back({&binding, binding.callback->task(), binding.callback->group()});
      } else if (model::Task task = binding.callback->task(); !same(task, binding.task)) {
        changing_.push_back({&binding, std::move(task), binding.group});
      }
    }
  }

  bool empty() const noexcept { return going_.empty() && coming_.empty() && changing_.empty(); }

  /// Adds the edit to the processor's change.
  void make(executor::Changes & changes) {
    GroupParts & parts = registry_.groups_[processor_];
    parts_ = {};
    const auto part_of = [&](const CallbackGroup::SharedPtr & group) -> GroupPart & {
      const auto found = parts_.find(group);
      return found != parts_.end() ? found->second : parts_[group] = parts[group];
    };
    for (const Binding * binding : going_) {
      changes.remove_task(binding->number, binding->callback);
      --part_of(binding->group).tasks;
    }
    for (const Next & next : changing_) {
      changes.change_task(next.binding->number, next.task, function_of(next));
    }
    for (Next & next : coming_) {
      GroupPart & part = part_of(next.group);
      if (part.id == executor::GroupId::none) {
        const bool exclusive = next.group->type() != CallbackGroupType::reentrant;
        part.id = changes.add_group({.exclusive = exclusive});
      }
      ++part.tasks;
      next.number = changes.add_task(next.task, function_of(next), part.id);
    }
    for (auto & [group, part] : parts_) {
      if (part.tasks == 0) changes.remove_group(part.id);
    }
  }

  /// The numbers of the processor's tasks after the change.
  Scenarios::TaskNumbers numbers() const {
    Scenarios::TaskNumbers numbers;
    {
      const os::Lock lock(registry_.mutex_);
      for (const auto & [callback, binding] : registry_.bindings_) {
        if (binding->bound && binding->processor == processor_) {
          numbers.emplace(callback, binding->number);
        }
      }
    }
    for (const Binding * binding : going_) numbers.erase(binding->callback.get());
    for (const Next & next : coming_) numbers.emplace(next.binding->callback.get(), next.number);
    return numbers;
  }

  /// To be called when the processor has made the change: updates the bindings.
  void made() {
    GroupParts & parts = registry_.groups_[processor_];
    for (auto & [group, part] : parts_) parts[group] = part;
    std::erase_if(parts, [](const auto & part) { return part.second.tasks == 0; });
    for (Binding * binding : going_) {
      binding->bound = false;
      binding->shown.store(executor::TaskId::none);
      binding->callback->set_notify(nullptr, nullptr, nullptr);
      registry_.flows_[processor_].erase(binding->number);
    }
    for (Next & next : coming_) {
      Binding & binding = *next.binding;
      binding.group = next.group;
      binding.processor = processor_;
      binding.on = &(*registry_.processors_)[processor_];
      binding.number = next.number;
      binding.bound = true;
      binding.settled = binding.settled || registry_.placement_fixed_;
      binding.shown.store(binding.number);
    }
    for (auto * list : {&coming_, &changing_}) {
      for (Next & next : *list) {
        next.binding->task = std::move(next.task);
        next.binding->callback->set_notify(notify, restart, next.binding);
      }
    }
  }

 private:
  struct Next {
    Binding * binding;
    model::Task task;
    CallbackGroup::SharedPtr group;
    executor::TaskId number = executor::TaskId::none;
  };

  static executor::JobFunction function_of(const Next & next) {
    // Releases of the executor's grid are not counted by the callback.
    const bool by_grid = next.task.kind == model::TaskKind::timer;
    Callback & callback = *next.binding->callback;
    return {by_grid ? execute : run, &callback, callback.footprint()};
  }

  TaskRegistry & registry_;
  const std::size_t processor_;
  std::vector<Binding *> going_;
  std::vector<Next> coming_;
  std::vector<Next> changing_;
  GroupParts parts_;  // the groups that change, as after the change
};

TaskRegistry::Edit TaskRegistry::move_out(const Edit & edit) {
  Edit moved;
  for (const Edit::Put & put : edit.put) {
    const Binding & binding = *put.binding;
    if (binding.bound &&
        (binding.processor != put.processor || binding.group != binding.callback->group())) {
      moved.drop.push_back(put.binding);
    }
  }
  if (!moved.drop.empty()) {
    DeparturesByCallback others = std::exchange(outcome_.departures, {});
    exchange_tasks(moved, nullptr);
    for (const auto & binding : moved.drop) {
      binding->left = outcome_.departures[binding->callback.get()];
    }
    outcome_.departures = std::move(others);
  }
  const auto has_left = [this](Binding & binding) {
    Departures & left = binding.left;
    std::erase_if(left, [](auto & each) { return each.wait_until(0); });
    if (left.empty()) return true;
    Departures & awaited = outcome_.departures[binding.callback.get()];
    awaited.insert(awaited.end(), left.begin(), left.end());
    return false;
  };
  Edit now = edit;
  const bool all = std::erase_if(now.put, [&has_left](const Edit::Put & put) {
                     return !has_left(*put.binding);
                   }) == 0;
  outcome_.again = outcome_.again || !all;
  // The thread that removes a callback waits for the job in its last place, too.
  for (const auto & binding : now.drop) has_left(*binding);
  return now;
}

void TaskRegistry::exchange_tasks(const Edit & wanted, const Plans * plans) {
  const Edit edit = move_out(wanted);
  std::optional<Scenarios::Next> next;
  const bool follow = plans != nullptr && (!plans->strategies.empty() || !scenarios_->empty() ||
                                           !plans->data.flows.empty() || ages_matter_);
  if (follow) next = scenarios_->next(plans->strategies);
  for (std::size_t i = 0; i < processors_->size(); ++i) {
    Exchange here(*this, edit, i);
    Flows flows;
    const auto flows_of = [&](const Scenarios::TaskNumbers & numbers) {
      flows.clear();
      for (const auto & [callback, flow] : plans->data.flows) {
        const auto number = numbers.find(callback);
        if (number != numbers.end()) flows.emplace(number->second, flow);
      }
      return flows != flows_[i];
    };
    if (here.empty()) {
      if (!follow) continue;
      const Scenarios::TaskNumbers numbers = here.numbers();
      if (!flows_of(numbers) && !scenarios_->due(*next, i, numbers)) continue;
    }
    executor::Departures departures = (*processors_)[i].change([&](executor::Changes & changes) {
      here.make(changes);
      if (!follow) return;
      const Scenarios::TaskNumbers numbers = here.numbers();
      if (flows_of(numbers)) changes.set_data_flow(flows);
      scenarios_->give(*next, numbers, changes);
    });
    // Separated by callback, so that each can be waited for by itself. No thread waits for them
    // yet.
    for (auto & [callback, jobs] : departures.by_kept()) {
      outcome_.departures[static_cast<const Callback *>(callback)].push_back(std::move(jobs));
    }
    here.made();
    if (follow) flows_[i] = std::move(flows);
  }
  if (!follow) return;
  ages_matter_ = !plans->data.flows.empty();
  scenarios_->given(*next);
}

void TaskRegistry::exchange(const Edit & edit) {
  const Plans plans = plan(strategy());
  exchange_tasks(edit, &plans);
  // The placement of the new tasks may affect the plans.
  const bool again = processors_->size() > 1 && !edit.put.empty();
  log_problems(again ? plan(strategy()) : plans);
}

void TaskRegistry::exchange_or_log(const Edit & edit) {
  try {
    exchange(edit);
  } catch (const std::exception & error) {
    exchange_tasks(edit, nullptr);
    log_(std::string("scenarios stay as they were: ") + error.what());
  }
}

void TaskRegistry::log_problems(const Plans & plans) {
  if (!processors_->spinning()) return logged_problems_.clear();
  const auto is_logged = [this](const std::string & problem) {
    return logged_problems_.contains(TaskNames::without_list(problem));
  };
  const auto all_logged = [&is_logged](const std::vector<std::string> & problems) {
    return std::all_of(problems.begin(), problems.end(), is_logged);
  };
  const auto log_new = [this](const std::vector<std::string> & problems,
                              const std::string & prefix) {
    for (const std::string & problem : problems) {
      if (logged_problems_.insert(TaskNames::without_list(problem)).second) log_(prefix + problem);
    }
  };
  log_new(plans.data.problems, "");
  if (all_logged(plans.strategies.problems) && all_logged(plans.data.scenario_problems)) return;
  // Except for problems that the nodes admitted next will solve.
  const Plans next = plan(strategy(), nodes_admitted_by(strategy()));
  log_new(next.strategies.problems, "an entry of a strategy is ignored: ");
  log_new(next.data.scenario_problems, "");
}

}  // namespace takt::tasks
