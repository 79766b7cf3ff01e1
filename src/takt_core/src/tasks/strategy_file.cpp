// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "yaml_file.hpp"

namespace takt {
namespace {

using tasks::YamlValue;
using Keys = std::map<std::string, std::function<void(const YamlValue &)>>;

/// Passes each member of a map to its reader. Exceptions of a reader or of `check` that do not name
/// a place get the member's.
void read(const YamlValue & value, const Keys & keys,
          const std::function<void()> & check = nullptr) {
  for (const YamlValue::Member & member : value.members()) {
    const auto key = keys.find(member.key);
    if (key == keys.end()) {
      std::string known;
      for (const auto & [name, reader] : keys) known += (known.empty() ? "" : ", ") + name;
      member.value.fail("there is no such key; there are " + known);
    }
    key->second(member.value);
    if (check == nullptr) continue;
    try {
      check();
    } catch (const Error & error) {
      member.value.fail(error.what());
    }
  }
}

Duration duration_or_none(const YamlValue & value) {
  return value.is("none") ? Duration::max() : value.duration();
}

TaskTiming task_timing(const YamlValue & value) {
  TaskTiming timing;
  const Keys keys{
      {"period", [&](const YamlValue & v) { timing.period = v.duration(); }},
      {"phase", [&](const YamlValue & v) { timing.phase = v.duration(); }},
      {"min_interval", [&](const YamlValue & v) { timing.min_interval = v.duration(); }},
      {"deadline", [&](const YamlValue & v) { timing.deadline = duration_or_none(v); }},
      {"budget", [&](const YamlValue & v) { timing.budget = duration_or_none(v); }},
      {"priority",
       [&](const YamlValue & v) {
         const std::int64_t priority = v.integer();
         timing.priority = static_cast<int>(std::clamp<std::int64_t>(priority, -1, 1000));
       }},
      {"max_age",
       [&](const YamlValue & v) {
         for (const YamlValue::Member & topic : v.members()) {
           timing.max_age[topic.key] =
               topic.value.is("none") ? Duration::max() : topic.value.duration();
         }
       }},
      {"on_stale",
       [&](const YamlValue & v) {
         const bool skip = v.is("skip");
         if (!skip && !v.is("report")) v.fail("must be skip or report");
         timing.on_stale = skip ? model::OnStale::skip : model::OnStale::report;
       }},
      {"extra_releases", [&](const YamlValue & v) { timing.extra_releases = v.boolean(); }},
      {"suspended", [&](const YamlValue & v) { timing.suspended = v.boolean(); }},
      {"subscribes", [&](const YamlValue & v) { timing.subscribes = v.texts(); }},
      {"publishes", [&](const YamlValue & v) { timing.publishes = v.texts(); }},
      {"optional", [&](const YamlValue & v) { timing.optional = v.boolean(); }},
  };
  read(value, keys, [&timing] { tasks::check(timing); });
  return timing;
}

SchedulingScenario scenario(const std::string & name, const YamlValue & value) {
  SchedulingScenario scenario(name);
  const auto policy = [&scenario](const YamlValue & v) {
    const std::string text = v.text();
    try {
      scenario.set_scheduling_policy(text);
    } catch (const Error & error) {
      v.fail(error.what());
    }
  };
  const auto tasks = [&scenario](const YamlValue & v) {
    for (const YamlValue::Member & task : v.members()) {
      scenario.set_task(task.key, task_timing(task.value), task.value.where());
    }
  };
  read(value, {{"policy", policy}, {"tasks", tasks}});
  return scenario;
}

}  // namespace

SchedulingStrategy::SharedPtr load_strategy(const std::string & path) {
  const tasks::YamlFile file(path);
  std::error_code unknown;
  const auto whole = std::filesystem::weakly_canonical(path, unknown);
  auto strategy = std::make_shared<SchedulingStrategy>(unknown ? path : whole.string());
  std::optional<YamlValue> first;
  const auto scenarios = [&strategy](const YamlValue & v) {
    for (const YamlValue::Member & each : v.members()) {
      strategy->add_scenario(scenario(each.key, each.value));
    }
    if (strategy->scenarios().empty()) v.fail("must have a scenario at least");
  };
  read(file.root(),
       {{"default", [&first](const YamlValue & v) { first = v; }}, {"scenarios", scenarios}});
  if (strategy->scenarios().empty()) file.root().fail("'scenarios' is missing");
  if (first) {
    const std::string name = first->text();
    strategy->set_default_scenario(name);
    try {
      tasks::given(strategy);
    } catch (const Error &) {
      first->fail("there is no scenario '" + name + "'");
    }
  }
  return strategy;
}

}  // namespace takt
