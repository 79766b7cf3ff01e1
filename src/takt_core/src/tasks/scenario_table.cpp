// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scenario_table.hpp"

#include <algorithm>

#include "takt_core/tasks/error.hpp"

namespace takt::tasks {
namespace {

// Far below the number of scenarios that a processor supports.
constexpr std::size_t most_names = 4096;

}  // namespace

std::vector<ScenarioTable::Known> ScenarioTable::with(
    const std::vector<std::string> & names) const {
  std::vector<Known> known = known_;
  for (Known & each : known) each.present = false;
  for (const std::string & name : names) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&name](const Known & each) { return each.name == name; });
    if (found != known.end()) {
      found->present = true;
    } else {
      known.push_back({name, true});
    }
  }
  if (known.size() > most_names) {
    throw Error("an executor can have " + std::to_string(most_names) +
                " scenarios over its life, no more");
  }
  return known;
}

std::vector<std::string> ScenarioTable::numbered(const std::vector<std::string> & names) const {
  const os::Lock lock(mutex_);
  std::vector<std::string> result;
  for (Known & each : with(names)) result.push_back(each.present ? std::move(each.name) : "");
  return result;
}

void ScenarioTable::set(const std::vector<std::string> & names) {
  const os::Lock lock(mutex_);
  known_ = with(names);
}

model::ScenarioId ScenarioTable::number(std::string_view name) const {
  const os::Lock lock(mutex_);
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].present && known_[i].name == name) return static_cast<model::ScenarioId>(i + 1);
  }
  std::string others;
  for (const Known & each : known_) {
    if (each.present) others += (others.empty() ? "there are " : ", ") + each.name;
  }
  throw Error("no scenario '" + std::string(name) +
              "': " + (others.empty() ? "no strategy was given to the executor" : others));
}

std::string ScenarioTable::name(model::ScenarioId number) const {
  const os::Lock lock(mutex_);
  return number >= 1 && number <= known_.size() ? known_[number - 1].name : "";
}

std::vector<std::string> ScenarioTable::names() const {
  const os::Lock lock(mutex_);
  std::vector<std::string> result;
  for (const Known & each : known_) {
    if (each.present) result.push_back(each.name);
  }
  return result;
}

bool ScenarioTable::present(model::ScenarioId number) const {
  const os::Lock lock(mutex_);
  return number >= 1 && number <= known_.size() && known_[number - 1].present;
}

}  // namespace takt::tasks
