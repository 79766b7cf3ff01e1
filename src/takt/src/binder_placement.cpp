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

constexpr const char * while_spinning =
    "tasks cannot be placed anew while spinning: cancel() first";

bool exclusive(const CallbackGroup & group) noexcept {
  return group.type() != CallbackGroupType::reentrant;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

}  // namespace

std::vector<std::shared_ptr<Binder::Binding>> Binder::bound() const {
  std::vector<std::shared_ptr<Binding>> all;
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

/// `settled`: where it has its processor for good already, that is its place.
model::Placeable Binder::placeable(const Binding & binding, bool settled) {
  model::Placeable task{.id = binding.callback->id()};
  if (const auto by_hand = binding.callback->processor()) {
    task.processor = *by_hand;
  } else if (settled && binding.settled) {
    task.processor = binding.processor;
  }
  return task;
}

/// What it declares to need of a processor, else what it was seen to use.
double Binder::needs(const Binding & binding) const {
  return binding.utilisation > 0 ? binding.utilisation : binding.on->utilisation(binding.number);
}

/// For a task that comes: where its group is, else where there is most room. Before it spins, that
/// may change.
std::size_t Binder::home(const Binding & binding) const {
  std::vector<model::Placeable> tasks = {placeable(binding, true)};
  if (processors_->size() == 1 && tasks.front().processor == model::Placeable::anywhere) return 0;
  std::vector<model::Bond> bonds;
  const auto found = groups_.find(binding.group);
  const Binding * companion = nullptr;
  if (found != groups_.end() && exclusive(*binding.group)) {
    for (const Binding * member : found->second.members) {
      companion = companion == nullptr ? member : companion;
      bonds.push_back({0, tasks.size()});
      tasks.push_back(placeable(*member, true));
    }
    // Where a reader's group is, is where its subscription has to go.
    if (!binding.callback->processor()) tasks.front().processor = model::Placeable::anywhere;
  }
  const std::size_t place = model::place(tasks, bonds, processors_->size()).processor.front();
  const bool fixed = std::any_of(tasks.begin(), tasks.end(), [](const model::Placeable & task) {
    return task.processor != model::Placeable::anywhere;
  });
  if (fixed) return place;
  return companion != nullptr ? companion->processor : model::most_room(utilisation_, tasks_);
}

void Binder::place(bool all) {
  if (processors_->size() == 1) return;
  if (processors_->spinning()) throw Error(while_spinning);
  submit([this, all] { place_now(all); });
}

void Binder::place_now(bool all) {
  const auto bindings = bound();
  std::vector<model::Placeable> tasks;
  std::vector<model::Bond> bonds;
  std::map<const CallbackGroup *, std::size_t> first;
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    tasks.push_back(placeable(*bindings[i], !all));
    tasks.back().utilisation = needs(*bindings[i]);
    const CallbackGroup & group = *bindings[i]->group;
    if (!exclusive(group)) continue;
    const auto [other, is_first] = first.emplace(&group, i);
    if (!is_first) bonds.push_back({other->second, i});
  }
  const model::Placement placement = model::place(tasks, bonds, processors_->size());
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
