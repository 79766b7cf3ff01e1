// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the binder that gives tasks their processors.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "binder.hpp"
#include "binding.hpp"
#include "takt/exceptions.hpp"

namespace takt::detail {
namespace {

constexpr std::string_view refreshes = "read and refresh the same data (max_age)";

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

}  // namespace

Binder::Bindings Binder::bound() const {
  Bindings all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [callback, binding] : bindings_) {
      if (binding->shown.load() != model::none) all.push_back(binding);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const auto & a, const auto & b) { return a->order < b->order; });
  return all;
}

/// What it declares to need of a processor, else what it was seen to use.
double Binder::needs(const Binding & binding) const {
  if (!binding.bound) return binding.callback->utilisation();
  return binding.utilisation > 0 ? binding.utilisation : binding.on->utilisation(binding.number);
}

/// Where each belongs, by what it needs, who excludes whom, and who refreshes whose data. Of the
/// first `staying`, those stay that have their processor for good.
model::Placement Binder::partition(const Bindings & bindings, std::size_t staying) const {
  std::vector<model::Placeable> tasks;
  std::vector<model::Bond> bonds;
  std::map<const Callback *, std::size_t> places;
  std::map<CallbackGroup::SharedPtr, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const Binding & binding = *bindings[i];
    model::Placeable & task = tasks.emplace_back();
    task.id = binding.callback->id();
    task.utilisation = needs(binding);
    if (const auto by_hand = binding.callback->processor()) {
      task.processor = *by_hand;
    } else if (i < staying && binding.settled) {
      task.processor = binding.processor;
    }
    places.emplace(binding.callback.get(), i);
    const CallbackGroup::SharedPtr group = binding.callback->group();
    if (group->type() != CallbackGroupType::reentrant) groups[group].push_back(i);
  }
  for (const auto & [group, members] : groups) {
    // One that has its place, if there is one: then it is the one to be named.
    const auto placed = std::find_if(members.begin(), members.end(), [&tasks](std::size_t i) {
      return tasks[i].processor != model::Placeable::anywhere;
    });
    const std::size_t centre = placed != members.end() ? *placed : members.front();
    for (const std::size_t member : members) bonds.push_back({centre, member});
  }
  if (processors_->size() > 1) {
    for (const DataPlan::Pair & pair : plan(strategy()).data.pairs) {
      const auto reader = places.find(pair.reader);
      const auto producer = places.find(pair.producer);
      if (reader == places.end() || producer == places.end()) continue;
      bonds.push_back({reader->second, producer->second, refreshes, pair.required});
    }
  }
  return model::place(tasks, bonds, processors_->size());
}

/// For a task that comes, or comes back. Before it spins, that may change.
std::size_t Binder::home(Binding & binding) const {
  const bool anywhere = !binding.callback->processor();
  if (processors_->size() == 1 && anywhere) return 0;
  Bindings all = bound();
  // Not owned: it is about to have a task.
  all.push_back({std::shared_ptr<void>(), &binding});
  try {
    return partition(all, all.size()).processor.back();
  } catch (const std::invalid_argument &) {
    // It may have another group now, which is elsewhere.
    if (!binding.settled) throw;
    return partition(all, all.size() - 1).processor.back();
  }
}

/// The tasks of a node that comes.
void Binder::bind_together(const Bindings & made) {
  if (processors_->size() == 1) {
    for (const auto & binding : made) update(*binding);
    return;
  }
  Bindings all = bound();
  const std::size_t others = all.size();
  for (const auto & binding : made) {
    if (!binding->bound && !binding->removed && binding->callback->is_task())
      all.push_back(binding);
  }
  const model::Placement placement = partition(all, others);
  for (std::size_t i = others; i < all.size(); ++i) bind_on(*all[i], placement.processor[i]);
}

void Binder::rebalance() {
  submit([this] {
    if (places_hold_ || processors_->spinning()) {
      throw Error("tasks cannot be placed anew while spinning: cancel() first");
    }
    if (processors_->size() > 1) place(true);
  });
}

void Binder::begin_spin() {
  if (processors_->size() == 1) return;
  submit([this] {
    if (places_hold_) throw Error(spins_already);
    place(false);
    places_hold_ = true;
  });
}

void Binder::end_spin() noexcept {
  places_hold_ = false;
}

/// All, or those that have no place yet.
void Binder::place(bool all) {
  const Bindings bindings = bound();
  model::Placement placement;
  try {
    placement = partition(bindings, all ? 0 : bindings.size());
  } catch (const std::invalid_argument &) {
    // A strategy may ask for what the last spin's placement does not allow.
    if (all) throw;
    return place(true);
  }
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    Binding & binding = *bindings[i];
    binding.settled = true;
    if (binding.processor == placement.processor[i]) continue;
    binding.callback->set_notify(nullptr, nullptr);
    unbind(binding);
    bind_on(binding, placement.processor[i]);
  }
  for (std::size_t i = 0; i < placement.utilisation.size(); ++i) {
    if (placement.utilisation[i] <= 1) continue;
    log_("the tasks on CPU " + std::to_string(processors_->cpus()[i]) + " need " +
         percent(placement.utilisation[i]) + " of it, as declared or measured: some will be late");
  }
  refresh_or_tell();
}

/// Pairs that are on two processors while it spins although nothing but refreshing was asked for.
void Binder::find_split(DataPlan & data) const {
  if (processors_->size() == 1 || !places_hold_) return;
  for (const DataPlan::Pair & pair : data.pairs) {
    const auto reader = find(*pair.reader);
    const auto producer = find(*pair.producer);
    if (!pair.required || reader == nullptr || producer == nullptr) continue;
    const model::TaskId reads = reader->shown.load();
    const model::TaskId publishes = producer->shown.load();
    if (!reader->settled || !producer->settled || reads == model::none ||
        publishes == model::none ||
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

std::vector<TaskPlacement> Binder::placement() const {
  std::vector<TaskPlacement> result;
  for (const auto & binding : bound()) {
    const model::TaskId number = binding->shown.load();
    if (number == model::none) continue;
    TaskPlacement & task = result.emplace_back();
    task.callback = binding->callback->id();
    task.processor = executor::Processors::of(number);
    task.cpu = processors_->cpus()[task.processor];
    task.declared = binding->callback->utilisation();
    try {
      task.measured = processors_->utilisation(number);
    } catch (const std::invalid_argument &) {
      result.pop_back();  // it has just gone
    }
  }
  return result;
}

}  // namespace takt::detail
