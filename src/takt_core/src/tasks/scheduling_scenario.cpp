// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scheduling_scenario.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "takt_core/model/policy.hpp"
#include "takt_core/model/task.hpp"
#include "takt_core/tasks/error.hpp"

namespace takt {
namespace {

constexpr Duration longest{model::furthest};

}  // namespace

namespace tasks {

void check(const TaskTiming & timing) {
  const auto demand = [](bool fulfilled, const char * what) {
    if (!fulfilled) throw Error(what);
  };
  const auto within = [](const std::optional<Duration> & value, Duration least) {
    return !value || (*value >= least && *value <= longest);
  };
  const Duration zero = Duration::zero();
  demand(within(timing.period, Duration(1)), "period must be above 0 and at most 2^60 ns");
  demand(within(timing.phase, zero), "phase must be from 0 to 2^60 ns");
  demand(within(timing.min_interval, zero), "min_interval must be from 0 to 2^60 ns");
  demand(timing.deadline == Duration::max() || within(timing.deadline, Duration(1)),
         "deadline must be above 0 and at most 2^60 ns, or none");
  demand(timing.budget == Duration::max() || within(timing.budget, Duration(1)),
         "budget must be above 0 and at most 2^60 ns, or none");
  const int priority = timing.priority.value_or(model::lowest_priority);
  demand(priority >= model::lowest_priority && priority <= model::highest_priority,
         "priority must be from 1 to 98");
  for (const auto & [topic, age] : timing.max_age) {
    demand(age > zero, "max_age must be above 0, or none");
  }
  demand(!timing.min_interval || (!timing.period && !timing.phase),
         "a timer has a period and a phase, another task a min_interval: give one or the other");
}

}  // namespace tasks

SchedulingScenario::SchedulingScenario(std::string name) : name_(std::move(name)) {
  if (name_.empty()) throw Error("a scenario has no name: it is requested by name");
}

void SchedulingScenario::add_timer(const std::string & id, int priority, Duration deadline,
                                   const TaskTopics & topics) {
  add({.id = id,
       .timing = {.deadline = deadline,
                  .priority = priority,
                  .subscribes = topics.subscribes,
                  .publishes = topics.publishes},
       .is_timer = true,
       .where = {}});
}

void SchedulingScenario::set_task(const std::string & id, const TaskTiming & timing,
                                  const std::string & where) {
  add({.id = id, .timing = timing, .is_timer = false, .where = where});
}

void SchedulingScenario::add(Entry entry) {
  if (entry.where.empty()) entry.where = "scenario '" + name_ + "': task '" + entry.id + "'";
  const auto refuse = [&entry](const std::string & what) {
    throw Error(entry.where + ": " + what);
  };
  if (entry.id.empty()) refuse("has no name");
  const auto is_it = [&entry](const Entry & other) { return other.id == entry.id; };
  if (std::any_of(tasks_.begin(), tasks_.end(), is_it)) {
    refuse("occurs twice in the scenario: merge the two");
  }
  try {
    tasks::check(entry.timing);
  } catch (const Error & error) {
    refuse(error.what());
  }
  tasks_.push_back(std::move(entry));
}

void SchedulingScenario::set_scheduling_policy(const SchedulingPolicy & policy) {
  if (!policy.make()) {
    try {
      model::make_policy(policy.name());
    } catch (const std::invalid_argument & error) {
      throw Error("scenario '" + name_ + "': " + error.what());
    }
  }
  policy_ = policy;
}

}  // namespace takt
