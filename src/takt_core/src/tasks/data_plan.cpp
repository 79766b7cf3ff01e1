// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/data_plan.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "node_topics.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/node.hpp"

namespace takt::tasks {
namespace {

/// A timer that reads a topic with a `max_age`.
struct Bound {
  const Callback * timer;
  std::string topic;
  Duration max_age;
  std::optional<model::OnStale> on_stale;  // in place of the timer's own option
  std::string where;                       // place in a file; empty: the timer itself
};

class DataPlanner {
 public:
  DataPlanner(const std::vector<StrategyNode> & nodes, const StrategyPlan & strategies,
              Duration margin)
      : nodes_(nodes), strategies_(strategies), margin_(margin) {}

  DataPlan plan() {
    find_bounds();
    if (bounds_.empty()) return {};
    for (const StrategyNode & node : nodes_) find_producers(node);
    for (const Bound & bound : bounds_) {
      set_inputs(*bound.timer);
      check(bound);
    }
    return std::move(plan_);
  }

 private:
  void problem(const Bound & bound, const std::string & what) {
    if (bound.where.empty()) {
      plan_.problems.push_back("timer '" + bound.timer->id() + "' reads '" + bound.topic + "' " +
                               what);
    } else {
      plan_.scenario_problems.push_back(bound.where + ": reads '" + bound.topic + "' " + what);
    }
  }

  void find_bounds() {
    for (const StrategyNode & node : nodes_) {
      for (const auto & callback : node.callbacks) {
        for (const TopicRead & read : callback->topics_read()) {
          const Duration max_age = read.options.max_age;
          if (max_age == Duration::max()) continue;
          bounds_.push_back({callback.get(), read.subscription->topic(), max_age, {}, ""});
        }
      }
    }
    for (const PlannedScenario & scenario : strategies_.scenarios) {
      for (const PlannedScenario::Bound & bound : scenario.bounds) {
        if (bound.max_age == Duration::max()) continue;
        bounds_.push_back(
            {bound.callback, bound.topic, bound.max_age, bound.on_stale, bound.where});
      }
    }
    for (const Bound & bound : bounds_) {
      topics_.insert(channel_of(*bound.timer, bound.topic));
    }
  }

  /// Finds the node's callbacks that publish topics whose age is bounded.
  void find_producers(const StrategyNode & node) {
    std::set<std::string> named;
    std::vector<const Callback *> able;
    const NodeTopics topics(*node.node);
    for (const auto & callback : node.callbacks) {
      receive_outside(*callback);
      const Topics * said = callback->topics_published();
      if (said == nullptr) continue;
      able.push_back(callback.get());
      std::set<std::string> all;
      const auto scenarios = strategies_.publishes.find(callback.get());
      if (scenarios != strategies_.publishes.end()) all = scenarios->second;
      for (const std::string & name : said->names()) {
        const std::string wrong = topics.problem(name, NodeTopics::Use::publishes);
        if (wrong.empty()) {
          all.insert(node.node->resolve_name(name, false));
        } else {
          plan_.problems.push_back("'" + callback->id() + "' publishes: " + wrong);
        }
      }
      for (const std::string & topic : all) add_output(*callback, topic);
      named.merge(all);
    }
    for (const std::string & topic : node.node->published()) {
      if (named.count(topic) > 0) continue;
      if (able.size() == 1) add_output(*able.front(), topic);
      if (able.size() > 1) unclear_[topic] = node.node->name();
    }
  }

  /// The jobs of a subscription take messages that have arrived from other processes, so for the
  /// scheduler they count as producers of its topic. They form no pair with a reader.
  void receive_outside(const Callback & callback) {
    if (!callback.topic().empty() && callback.is_task()) {
      add_output(callback, callback.topic(), false);
    }
  }

  void add_output(const Callback & callback, const std::string & topic, bool produces = true) {
    const model::ChannelId channel = channel_of(callback, topic);
    if (topics_.count(channel) == 0) return;
    model::DataFlow & flow = plan_.flows[&callback];
    if (std::find(flow.outputs.begin(), flow.outputs.end(), channel) == flow.outputs.end()) {
      flow.outputs.push_back(channel);
    }
    if (!produces) return;
    producers_[channel].push_back(&callback);
    flow.extra_releases = callback.extra_releases();
  }

  void set_inputs(const Callback & timer) {
    model::DataFlow & flow = plan_.flows[&timer];
    if (!flow.inputs.empty()) return;
    for (const TopicRead & read : timer.topics_read()) {
      const Callback & subscription = *read.subscription;
      const Duration max_age = read.options.max_age;
      flow.inputs.push_back({.channel = channel_of(timer, subscription.topic()),
                             .max_age = max_age == Duration::max() ? model::never : max_age.count(),
                             .on_stale = read.options.on_stale.value_or(model::OnStale::report),
                             .newest = subscription.newest()});
    }
  }

  void check(const Bound & bound) {
    const auto us = [](Duration length) { return std::to_string(length.count() / 1000) + " us"; };
    if (bound.max_age <= margin_) {
      problem(bound, "with a max_age of " + us(bound.max_age) +
                         ", not above the executor's age_margin of " + us(margin_));
    }
    bool must_refresh = false;
    std::shared_ptr<const Callback> subscription;
    for (const TopicRead & read : bound.timer->topics_read()) {
      if (read.subscription->topic() != bound.topic) continue;
      read.subscription->watch_age();
      subscription = read.subscription;
      must_refresh = must_refresh || !(bound.on_stale || read.options.on_stale);
    }
    const auto unclear = unclear_.find(bound.topic);
    const auto producers = producers_.find(channel_of(*bound.timer, bound.topic));
    if (producers != producers_.end()) {
      for (const Callback * producer : producers->second) {
        plan_.pairs.push_back({bound.timer, producer, must_refresh});
      }
      return;
    }
    if (unclear != unclear_.end()) {
      problem(bound, "with a max_age, and node '" + unclear->second +
                         "' that publishes it has several tasks: say which one does "
                         "(by `publishes`)");
    } else if (must_refresh) {
      const bool elsewhere = subscription->published_inside();
      problem(bound, std::string("with a max_age, and no task of the executor publishes it") +
                         (elsewhere ? " (what does is of another executor, or no task)" : "") +
                         ": give on_stale, which says what becomes of a job whose data is too old");
    }
  }

  const std::vector<StrategyNode> & nodes_;
  const StrategyPlan & strategies_;
  const Duration margin_;
  std::vector<Bound> bounds_;
  std::set<model::ChannelId> topics_;  // those whose age is bounded
  std::map<model::ChannelId, std::vector<const Callback *>> producers_;
  std::map<std::string, std::string> unclear_;  // topics published by a node with several tasks,
                                                // with that node
  DataPlan plan_;
};

}  // namespace

model::ChannelId channel_of(const Callback & callback, const std::string & topic) {
  return callback.node().channel(topic);
}

DataPlan plan_data(const std::vector<StrategyNode> & nodes, const StrategyPlan & strategies,
                   Duration margin) {
  return DataPlanner(nodes, strategies, margin).plan();
}

}  // namespace takt::tasks
