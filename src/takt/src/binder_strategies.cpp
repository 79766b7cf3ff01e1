// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the binder that keeps scenarios in line with strategies and tasks.
#include <algorithm>
#include <exception>
#include <utility>

#include "binder.hpp"
#include "takt/exceptions.hpp"

namespace takt::detail {
namespace {

void demand_none(const std::vector<std::string> & problems) {
  if (problems.empty()) return;
  const std::size_t more = problems.size() - 1;
  throw Error(problems.front() + (more > 0 ? " (and " + std::to_string(more) + " more)" : ""));
}

}  // namespace

std::vector<std::shared_ptr<NodeBase>> Binder::nodes() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<NodeBase>> nodes;
  for (const auto & weak : nodes_) {
    if (auto node = weak.lock()) nodes.push_back(std::move(node));
  }
  return nodes;
}

GivenStrategy Binder::strategy() const {
  const std::lock_guard lock(mutex_);
  return strategy_;
}

StrategyPlan Binder::plan(const GivenStrategy & of_executor) const {
  std::vector<StrategyNode> all;
  bool any = static_cast<bool>(of_executor);
  for (auto & node : nodes()) {
    all.push_back({std::move(node), {}, {}});
    all.back().strategy = all.back().node->strategy();
    any = any || all.back().strategy;
  }
  if (!any) return {};
  for (StrategyNode & node : all) node.callbacks = node.node->callbacks();
  return plan_strategies(of_executor, all);
}

void Binder::set_strategy(const GivenStrategy & strategy) {
  if (!nodes().empty() || processor_->spinning()) {
    demand_none(plan(strategy).problems);
  } else if (strategy) {
    log_("the executor has no node yet: its strategy is checked when spin() begins");
  }
  GivenStrategy old;
  {
    const std::lock_guard lock(mutex_);
    old = std::exchange(strategy_, strategy);
  }
  try {
    submit([this] { refresh(); });
  } catch (...) {
    const std::lock_guard lock(mutex_);
    strategy_ = old;
    throw;
  }
}

void Binder::check_strategies() {
  demand_none(plan(strategy()).problems);
}

void Binder::strategy_changed() {
  if (processor_->spinning()) check_strategies();
  submit([this] { refresh(); });
}

std::int64_t Binder::request_scenario(std::string_view name) {
  return scenarios_->request(name);
}

void Binder::refresh() {
  const StrategyPlan plan = this->plan(strategy());
  if (plan.empty() && scenarios_->empty()) return;
  Scenarios::TaskNumbers numbers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [callback, binding] : bindings_) {
      const model::TaskId number = number_of(*binding);
      if (number != model::none) numbers.emplace(callback, number);
    }
  }
  scenarios_->apply(plan, numbers);
  if (!processor_->spinning()) return told_.clear();
  for (const std::string & problem : plan.problems) {
    if (told_.insert(problem).second) log_("of a strategy is left out: " + problem);
  }
}

void Binder::refresh_or_tell() {
  try {
    refresh();
  } catch (const std::exception & error) {
    log_(std::string("scenarios stay as they were: ") + error.what());
  }
}

}  // namespace takt::detail
