// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/strategy_plan.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "node_topics.hpp"
#include "takt_core/model/task_check.hpp"
#include "takt_core/model/timing.hpp"
#include "takt_core/tasks/data_plan.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/node.hpp"
#include "takt_core/tasks/task_names.hpp"

namespace takt::tasks {
namespace {

using Entry = SchedulingScenario::Entry;

/// A strategy with the tasks that it may name.
struct Source {
  GivenStrategy strategy;
  std::string owner;
  TaskNames names;
};

/// The entries of a scenario, by the callback that they name.
using Entries = std::map<const Callback *, const Entry *>;

std::vector<Source> sources_of(const GivenStrategy & executors,
                               const std::vector<StrategyNode> & nodes) {
  std::vector<Source> sources;
  if (executors) sources.push_back({executors, "the executor", {}});
  const auto source_of = [&sources](const GivenStrategy & strategy) {
    return std::find_if(sources.begin(), sources.end(), [&strategy](const Source & source) {
      return source.strategy.is(strategy);
    });
  };
  for (const StrategyNode & node : nodes) {
    if (!node.strategy || source_of(node.strategy) != sources.end()) continue;
    sources.push_back({node.strategy, "node '" + std::string(node.node->name()) + "'", {}});
  }
  for (const StrategyNode & node : nodes) {
    for (Source & source : sources) {
      const bool names_all = executors && &source == &sources.front();
      if (!names_all && !(node.strategy && source.strategy.is(node.strategy))) continue;
      for (const auto & callback : node.callbacks) source.names.add(callback);
    }
  }
  return sources;
}

/// The model's timing for a callback. `task`: the callback's task as it is.
model::Timing timing_of(const Callback & callback, const model::Task & task,
                        const TaskTiming & given) {
  const auto count = [](const std::optional<Duration> & length) -> std::optional<model::Duration> {
    if (!length) return std::nullopt;
    return *length == Duration::max() ? model::never : length->count();
  };
  model::Timing timing;
  timing.deadline = count(given.deadline);
  timing.budget = count(given.budget);
  timing.priority = given.priority;
  timing.suspended = given.suspended;
  timing.on_stale = given.on_stale;
  timing.extra_releases = given.extra_releases;
  if (callback.kind() != model::TaskKind::timer) {
    timing.period = count(given.min_interval);
  } else if (task.kind == model::TaskKind::timer) {
    timing.period = count(given.period);
    timing.phase = count(given.phase);
  } else {
    // Simulated time releases the timer, so its period affects only its rank.
    timing.rank_period = count(given.period);
    if (!timing.deadline && task.deadline == task.rank_period) timing.deadline = timing.rank_period;
  }
  return timing;
}

/// The task with the timing. Throws std::invalid_argument if it is not valid.
model::Task checked(const model::Task & task, const model::Timing & timing) {
  model::Task result = model::timed(task, timing);
  model::check_task(result);
  return result;
}

/// Merges all strategies to a plan.
class StrategyPlanner {
 public:
  StrategyPlanner(const GivenStrategy & executors, const std::vector<StrategyNode> & nodes)
      : nodes_(nodes), sources_(sources_of(executors, nodes)) {}

  StrategyPlan plan() {
    for (const Source & source : sources_) {
      plan_.strategies.push_back(source.strategy.content);
      add(source);
    }
    if (!plan_.empty() && plan_.default_scenario.empty()) {
      problem("the strategy has no default scenario: say which one is active at the start");
    }
    for (std::size_t i = 0; i < plan_.scenarios.size(); ++i) {
      set_timings(plan_.scenarios[i], entries_[i]);
    }
    return std::move(plan_);
  }

 private:
  /// How many problems about missing names get a list of the existing names.
  static constexpr std::size_t most_with_lists = 8;

  void problem(std::string what) { plan_.problems.push_back(std::move(what)); }

  void add(const Source & source) {
    const SchedulingStrategy & strategy = *source.strategy.content;
    const std::string & first = strategy.default_scenario();
    if (plan_.default_scenario.empty()) {
      plan_.default_scenario = first;
    } else if (!first.empty() && first != plan_.default_scenario) {
      problem("the strategy of " + source.owner + " has the default scenario '" + first +
              "', another's is '" + plan_.default_scenario + "': they must agree");
    }
    for (const SchedulingScenario & scenario : strategy.scenarios()) add(source, scenario);
  }

  void add(const Source & source, const SchedulingScenario & scenario) {
    auto & scenarios = plan_.scenarios;
    const auto found = std::find_if(scenarios.begin(), scenarios.end(), [&](const auto & each) {
      return each.name == scenario.name();
    });
    const auto index = static_cast<std::size_t>(found - scenarios.begin());
    if (found == scenarios.end()) {
      scenarios.push_back({scenario.name(), scenario.policy(), {}, {}});
      entries_.emplace_back();
    } else if (scenario.policy()) {
      const auto & policy = found->policy;
      if (policy && (policy->make() || policy->name() != scenario.policy()->name())) {
        problem("scenario '" + scenario.name() + "': the strategy of " + source.owner +
                " gives it another policy than another strategy does");
      } else {
        found->policy = scenario.policy();
      }
    }
    for (const Entry & entry : scenario.tasks()) add(source, entry, entries_[index]);
  }

  void add(const Source & source, const Entry & entry, Entries & entries) {
    const auto [callback, why, missing] = source.names.find(entry.id);
    if (callback == nullptr) {
      if (!missing) return problem(entry.where + ": " + why);
      if (entry.timing.optional) return;
      // Thousands of names may be missing while nodes are created and removed.
      const bool lists = missing_++ < most_with_lists;
      const std::string hint = lists ? source.names.known(entry.id) + elsewhere(entry.id) : "";
      return problem(entry.where + ": " + why + hint);
    }
    const std::string wrong = misfit(*callback, entry);
    if (!wrong.empty()) {
      problem(entry.where + ": " + wrong);
    } else if (const auto [other, added] = entries.emplace(callback.get(), &entry); !added) {
      problem(entry.where + ": another entry sets '" + callback->id() +
              "' already: " + other->second->where);
    }
    for (const std::string & topic : entry.timing.publishes.names()) {
      if (wrong.empty()) {
        plan_.publishes[callback.get()].insert(callback->node().resolve_name(topic, false));
      }
    }
  }

  /// A hint, for a name that a node's strategy does not know.
  std::string elsewhere(const std::string & id) {
    if (!all_) {
      all_.emplace();
      for (const StrategyNode & node : nodes_) {
        for (const auto & callback : node.callbacks) all_->add(callback);
      }
    }
    const auto found = all_->find(id).callback;
    if (found == nullptr) return "";
    return "; '" + found->id() +
           "' is of a node that the strategy was not given to: give it to the "
           "executor";
  }

  std::string misfit(const Callback & callback, const Entry & entry) {
    const TaskTiming & timing = entry.timing;
    const bool timer = callback.kind() == model::TaskKind::timer;
    if (entry.is_timer && !timer) return "is no timer: use set_task";
    if (!timer && (timing.period || timing.phase)) {
      return "is no timer, so it has no period and no phase: give min_interval";
    }
    if (!timer && timing.extra_releases) {
      return "is no timer, so it has no extra_releases: arrivals release it";
    }
    if (timing.phase && !callback.may_have_phase()) {
      return "its clock is not steady, so it cannot have a phase: wall timers of rclcpp can";
    }
    if (timer && timing.min_interval) return "is a timer: give its period, not min_interval";
    if (callback.kind() == model::TaskKind::subscription && !callback.is_task()) {
      return "has no jobs of its own: timers read it, and it runs as part of their jobs";
    }
    for (const std::string & topic : timing.subscribes.names()) {
      const std::string wrong =
          topics_of(callback.node()).problem(topic, NodeTopics::Use::subscribes);
      if (!wrong.empty()) return "subscribes: " + wrong;
    }
    for (const std::string & topic : timing.publishes.names()) {
      const std::string wrong =
          topics_of(callback.node()).problem(topic, NodeTopics::Use::publishes);
      if (!wrong.empty()) return "publishes: " + wrong;
    }
    for (const auto & [topic, age] : timing.max_age) {
      std::string wrong = topics_of(callback.node()).problem(topic, NodeTopics::Use::subscribes);
      if (wrong.empty() && !callback.reads(callback.node().resolve_name(topic, false))) {
        wrong = "'" + callback.id() + "' does not read '" + topic +
                (timer ? "': give it reads in C++, or subscribes where it may"
                       : "': only timers have reads");
      }
      if (!wrong.empty()) return "max_age: " + wrong;
    }
    if (!timer && timing.on_stale) return "is no timer, so it reads nothing: leave on_stale out";
    return "";
  }

  /// Collected once for each node, and only if an entry has topics: for a node of rclcpp this asks
  /// the middleware's graph.
  const NodeTopics & topics_of(const Node & node) {
    return topics_.try_emplace(&node, node).first->second;
  }

  void set_timings(PlannedScenario & scenario, const Entries & entries) {
    std::map<const Callback *, model::Task> tasks;
    for (const auto & [callback, entry] : entries) {
      const model::Task task = callback->task();
      model::Timing timing = timing_of(*callback, task, entry->timing);
      for (const auto & [name, age] : entry->timing.max_age) {
        const std::string topic = callback->node().resolve_name(name, false);
        timing.max_age[channel_of(*callback, topic)] =
            age == Duration::max() ? model::never : age.count();
        scenario.bounds.push_back({callback, topic, age, entry->timing.on_stale, entry->where});
      }
      try {
        tasks.emplace(callback, checked(task, timing));
        scenario.timings.emplace(callback, timing);
      } catch (const std::invalid_argument & error) {
        problem(entry->where + ": " + error.what());
      }
    }
    for (const StrategyNode & node : nodes_) inherit(node, entries, tasks, scenario);
  }

  /// Gives subscriptions the rank of their readers in the scenario.
  static void inherit(const StrategyNode & node, const Entries & entries,
                      const std::map<const Callback *, model::Task> & tasks,
                      PlannedScenario & scenario) {
    for (const auto & callback : node.callbacks) {
      if (callback->topic().empty() || !callback->is_task()) continue;
      std::vector<model::Task> readers;
      bool differs = false;
      for (const auto & reader : node.callbacks) {
        const auto entry = entries.find(reader.get());
        const bool named = entry != entries.end() && reader != callback;
        if (!reader->reads(callback->topic()) &&
            !(named && subscribes(node, *entry->second, callback->topic()))) {
          continue;
        }
        const auto task = tasks.find(reader.get());
        differs = differs || task != tasks.end();
        readers.push_back(task != tasks.end() ? task->second : reader->task());
      }
      if (!differs) continue;
      const model::Task task = callback->task_read_by(readers);
      model::Timing & timing = scenario.timings[callback.get()];
      timing.rank_period = task.rank_period;
      if (!timing.priority) timing.priority = task.priority;
      if (!timing.deadline) timing.deadline = task.deadline;
    }
  }

  static bool subscribes(const StrategyNode & node, const Entry & entry,
                         const std::string & topic) {
    const auto & names = entry.timing.subscribes.names();
    return std::any_of(names.begin(), names.end(), [&](const std::string & name) {
      return node.node->resolve_name(name, false) == topic;
    });
  }

  const std::vector<StrategyNode> & nodes_;
  std::vector<Source> sources_;
  StrategyPlan plan_;
  std::vector<Entries> entries_;  // indexed by scenario
  std::map<const Node *, NodeTopics> topics_;
  std::optional<TaskNames> all_;  // made when a name is missing
  std::size_t missing_ = 0;
};

}  // namespace

StrategyPlan plan_strategies(const GivenStrategy & executors,
                             const std::vector<StrategyNode> & nodes) {
  return StrategyPlanner(executors, nodes).plan();
}

}  // namespace takt::tasks
