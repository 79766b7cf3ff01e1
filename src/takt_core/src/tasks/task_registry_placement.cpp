// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the registry of tasks that places tasks on processors.
#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "binding.hpp"
#include "takt_core/tasks/decimal.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {
namespace {

constexpr std::string_view refreshes = "read and refresh the same data (max_age)";

std::string percent(double share) {
  return decimal(100 * share, 0) + " %";
}

/// The share of a processor that the callback declares to need, in the scenario in which that is
/// greatest.
double declared(const Callback & callback, const StrategyPlan & strategies) {
  if (strategies.empty()) return callback.utilisation();
  double most = 0;
  for (const PlannedScenario & scenario : strategies.scenarios) {
    const auto timing = scenario.timings.find(&callback);
    const bool named = timing != scenario.timings.end();
    most = std::max(most, callback.utilisation(named ? timing->second : model::Timing()));
  }
  return most;
}

}  // namespace

TaskRegistry::Bindings TaskRegistry::in_order() const {
  Bindings all;
  {
    const os::Lock lock(mutex_);
    for (const auto & [callback, binding] : bindings_) all.push_back(binding);
  }
  std::sort(all.begin(), all.end(),
            [](const auto & a, const auto & b) { return a->order < b->order; });
  return all;
}

TaskRegistry::Bindings TaskRegistry::bound() const {
  Bindings all = in_order();
  std::erase_if(
      all, [](const auto & binding) { return binding->shown.load() == executor::TaskId::none; });
  return all;
}

/// The processor it must be on; no value: any. Throws Error if there is no such processor.
std::optional<std::size_t> TaskRegistry::explicit_processor(const Callback & callback) const {
  const auto processor = callback.processor();
  const std::vector<int> & cpus = processors_->cpus();
  if (!processor || *processor < cpus.size()) return processor;
  std::string list;
  for (const int cpu : cpus) list += (list.empty() ? "" : ", ") + std::to_string(cpu);
  throw Error("'" + callback.id() + "' is placed on processor " + std::to_string(*processor) +
              ", and there is only 0" +
              (cpus.size() > 1 ? " to " + std::to_string(cpus.size() - 1) : "") +
              ": `.processor` is a place in the executor's `.cpus`, which are {" + list + "}");
}

/// Places the tasks by their utilisation, the groups and who refreshes whose data. Those of the
/// first `staying` tasks whose processor is settled stay there.
model::Placement TaskRegistry::partition(const Bindings & bindings, std::size_t staying) const {
  std::vector<model::Placeable> tasks;
  std::vector<model::Bond> bonds;
  std::map<const Callback *, std::size_t> places;
  std::map<CallbackGroup::SharedPtr, std::vector<std::size_t>> groups;
  Plans plans;
  if (processors_->size() > 1) plans = plan(strategy());
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const Binding & binding = *bindings[i];
    model::Placeable & task = tasks.emplace_back();
    task.id = binding.callback->id();
    task.utilisation = declared(*binding.callback, plans.strategies);
    if (task.utilisation == 0 && binding.bound) {
      task.utilisation = binding.on->utilisation(binding.number);
    }
    if (const auto processor = explicit_processor(*binding.callback)) {
      task.processor = *processor;
    } else if (i < staying && binding.settled) {
      task.processor = binding.processor;
    }
    places.emplace(binding.callback.get(), i);
    const CallbackGroup::SharedPtr group = binding.callback->group();
    if (group->type() != CallbackGroupType::reentrant) groups[group].push_back(i);
  }
  for (const auto & [group, members] : groups) {
    // A member that is placed already, if any, so that error texts name it.
    const auto placed = std::find_if(members.begin(), members.end(), [&tasks](std::size_t i) {
      return tasks[i].processor != model::Placeable::anywhere;
    });
    const std::size_t centre = placed != members.end() ? *placed : members.front();
    for (const std::size_t member : members) bonds.push_back({centre, member});
  }
  for (const DataPlan::Pair & pair : plans.data.pairs) {
    const auto reader = places.find(pair.reader);
    const auto producer = places.find(pair.producer);
    if (reader == places.end() || producer == places.end()) continue;
    bonds.push_back({reader->second, producer->second, refreshes, pair.required});
  }
  return model::place(tasks, bonds, processors_->size());
}

/// The edit that places added, returning and changed tasks, and moves others if that is necessary.
TaskRegistry::Edit TaskRegistry::placed(const Bindings & coming) const {
  Edit edit;
  if (processors_->size() == 1) {
    for (const auto & binding : coming) {
      explicit_processor(*binding->callback);
      if (wants_task(*binding)) edit.put.push_back({binding, 0});
    }
    return edit;
  }
  Bindings all = bound();
  std::erase_if(all, [&coming](const auto & binding) {
    return std::find(coming.begin(), coming.end(), binding) != coming.end();
  });
  const std::size_t others = all.size();
  std::copy_if(coming.begin(), coming.end(), std::back_inserter(all),
               [](const auto & binding) { return wants_task(*binding); });
  if (all.size() == others) return edit;
  // First all tasks keep their places. If that fails, only the others do: the tasks in `coming` may
  // have other groups now. If that fails, too, and the executor does not spin, the others may move.
  const std::size_t least = placement_fixed_ ? others : 0;
  std::size_t staying = all.size();
  model::Placement placement;
  for (bool found = false; !found;) {
    try {
      placement = partition(all, staying);
      found = true;
    } catch (const std::invalid_argument &) {
      if (staying == least) throw;
      staying = staying > others ? others : least;
    }
  }
  for (std::size_t i = std::min(staying, others); i < all.size(); ++i) {
    edit.put.push_back({all[i], placement.processor[i]});
  }
  return edit;
}

void TaskRegistry::rebalance() {
  submit([this] {
    if (placement_fixed_ || processors_->spinning()) {
      throw Error("tasks cannot be placed anew while spinning: cancel() first");
    }
    place(true);
  });
}

void TaskRegistry::begin_spin() {
  if (placement_fixed_.exchange(true)) throw Error(spins_already);
  try {
    submit([this] { place(false); });
    define_names();
  } catch (...) {
    end_spin();
    throw;
  }
}

void TaskRegistry::resume_grids() noexcept {
  run_grids(true);
}

void TaskRegistry::run_grids(bool run) noexcept {
  grids_run_ = run;
  const os::Lock lock(mutex_);
  for (const auto & [callback, binding] : bindings_) binding->callback->tell_next_release();
}

void TaskRegistry::end_spin() noexcept {
  placement_fixed_ = false;
  run_grids(false);
  try {
    define_names();  // those that are new
  } catch (...) {
    return;  // without memory the trace contains numbers only
  }
}

void TaskRegistry::define_names() {
  if (trace_ == nullptr) return;
  const auto define = [this](const trace::Definition & definition) {
    if (defined_.insert(definition.line()).second) trace_->define(definition);
  };
  for (const auto & node : nodes()) {
    for (const auto & [topic, number] : node->channels()) {
      define(trace::Definition("topic").add("topic", std::int64_t{number}).add("name", topic));
    }
  }
  const ScenarioTable & scenarios = scenarios_->table();
  for (model::ScenarioId number = 1; !scenarios.name(number).empty(); ++number) {
    define(trace::Definition("scenario")
               .add("scenario", std::int64_t{number})
               .add("name", scenarios.name(number)));
  }
}

/// Places all tasks, or those without a place, including those that were refused one.
void TaskRegistry::place(bool all) {
  Bindings bindings = in_order();
  std::erase_if(bindings,
                [](const auto & binding) { return !binding->bound && !wants_task(*binding); });
  model::Placement placement;
  try {
    placement = partition(bindings, all ? 0 : bindings.size());
  } catch (const std::invalid_argument &) {
    // A strategy may require what the last spin's placement does not allow.
    if (all) throw;
    return place(true);
  }
  Edit edit;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    edit.put.push_back({bindings[i], placement.processor[i]});
  }
  exchange_or_log(edit);
  for (const auto & binding : bindings) binding->settled = true;
  for (std::size_t i = 0; i < placement.utilisation.size(); ++i) {
    if (processors_->size() == 1 || placement.utilisation[i] <= 1) continue;
    log_("the tasks on CPU " + std::to_string(processors_->cpus()[i]) + " need " +
         percent(placement.utilisation[i]) + " of it, as declared or measured" +
         (scenarios_->empty()
              ? ": some will be late"
              : ", each in the scenario where it needs the most: some may be late"));
  }
}

/// Finds pairs that are on two processors while spinning although they rely on refreshing.
void TaskRegistry::find_split(DataPlan & data) const {
  if (processors_->size() == 1 || !placement_fixed_) return;
  for (const DataPlan::Pair & pair : data.pairs) {
    const auto reader = find(*pair.reader);
    const auto producer = find(*pair.producer);
    if (!pair.required || reader == nullptr || producer == nullptr) continue;
    const executor::TaskId reads = reader->shown.load();
    const executor::TaskId publishes = producer->shown.load();
    if (!reader->settled || !producer->settled || reads == executor::TaskId::none ||
        publishes == executor::TaskId::none ||
        executor::Processors::of(reads) == executor::Processors::of(publishes)) {
      continue;
    }
    data.scenario_problems.push_back(
        "'" + producer->callback->id() + "' on processor " +
        std::to_string(executor::Processors::of(publishes)) + " cannot refresh what '" +
        reader->callback->id() + "' on processor " +
        std::to_string(executor::Processors::of(reads)) +
        " reads with a max_age: place them together, or give on_stale");
  }
}

std::vector<TaskPlacement> TaskRegistry::placement() const {
  std::vector<TaskPlacement> result;
  const GivenStrategy given = strategy();
  const StrategyPlan strategies = plan_strategies(given, nodes_to_plan(given));
  for (const auto & binding : bound()) {
    const executor::TaskId number = binding->shown.load();
    if (number == executor::TaskId::none) continue;
    TaskPlacement & task = result.emplace_back();
    task.callback = binding->callback->id();
    task.processor = executor::Processors::of(number);
    task.cpu = processors_->cpus()[task.processor];
    task.declared = declared(*binding->callback, strategies);
    try {
      task.measured = processors_->utilisation(number);
    } catch (const std::invalid_argument &) {
      result.pop_back();  // the task has just been removed
    }
  }
  return result;
}

}  // namespace takt::tasks
