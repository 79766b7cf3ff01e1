// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the registry of tasks that adapts scenarios to strategies and tasks.
#include <algorithm>
#include <exception>
#include <utility>

#include "binding.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/task_names.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {
namespace {

void demand_none(const std::vector<std::string> & problems) {
  if (problems.empty()) return;
  const std::size_t more = problems.size() - 1;
  throw Error(problems.front() + (more > 0 ? " (and " + std::to_string(more) + " more)" : ""));
}

std::vector<std::shared_ptr<Node>> present(const std::vector<std::weak_ptr<Node>> & all) {
  std::vector<std::shared_ptr<Node>> nodes;
  for (const auto & weak : all) {
    if (auto node = weak.lock()) nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace

TaskRegistry::Nodes TaskRegistry::nodes() const {
  const os::Lock lock(mutex_);
  return present(nodes_);
}

TaskRegistry::Nodes TaskRegistry::refused() const {
  const os::Lock lock(mutex_);
  return present(refused_);
}

void TaskRegistry::set_refused(const Nodes & nodes, bool refused) {
  const std::set<std::weak_ptr<Node>, std::owner_less<>> known(nodes.begin(), nodes.end());
  const os::Lock lock(mutex_);
  std::erase_if(refused_,
                [&known](const auto & weak) { return weak.expired() || known.contains(weak); });
  if (refused) refused_.insert(refused_.end(), nodes.begin(), nodes.end());
}

GivenStrategy TaskRegistry::strategy() const {
  const os::Lock lock(mutex_);
  return strategy_;
}

std::vector<StrategyNode> TaskRegistry::nodes_to_plan(const GivenStrategy & of_executor,
                                                      const Nodes & also) const {
  std::vector<StrategyNode> all;
  bool any = of_executor || bounds_ > 0;
  Nodes nodes = this->nodes();
  nodes.insert(nodes.end(), also.begin(), also.end());
  for (auto & node : nodes) {
    all.push_back({std::move(node), {}, {}});
    all.back().strategy = all.back().node->strategy();
    any = any || all.back().strategy;
  }
  if (!any) return {};
  for (StrategyNode & node : all) node.callbacks = node.node->callbacks();
  return all;
}

TaskRegistry::Plans TaskRegistry::plan(const GivenStrategy & of_executor,
                                       const Nodes & also) const {
  const std::vector<StrategyNode> all = nodes_to_plan(of_executor, also);
  Plans plans;
  plans.strategies = plan_strategies(of_executor, all);
  plans.data = plan_data(all, plans.strategies, age_margin_);
  find_split(plans.data);
  return plans;
}

std::vector<std::string> TaskRegistry::problems_of(const GivenStrategy & of_executor,
                                                   const Nodes & also) const {
  Plans plans = plan(of_executor, also);
  std::vector<std::string> all = std::move(plans.strategies.problems);
  all.insert(all.end(), plans.data.scenario_problems.begin(), plans.data.scenario_problems.end());
  return all;
}

TaskRegistry::Nodes TaskRegistry::nodes_admitted_by(const GivenStrategy & of_executor) const {
  Nodes refused = this->refused();
  if (refused.empty() || problems_of(of_executor, refused).empty()) return refused;
  Nodes fit;
  std::size_t least = problems_of(of_executor).size();
  for (const auto & node : refused) {
    fit.push_back(node);
    const std::size_t problems = problems_of(of_executor, fit).size();
    if (problems > least) fit.pop_back();
    least = std::min(least, problems);
  }
  return fit;
}

void TaskRegistry::check_strategies(const GivenStrategy & of_executor) const {
  demand_none(problems_of(of_executor, nodes_admitted_by(of_executor)));
}

std::set<std::string> TaskRegistry::faults() const {
  std::set<std::string> faults;
  for (const std::string & problem : problems_of(strategy()))
    faults.insert(TaskNames::without_list(problem));
  return faults;
}

void TaskRegistry::demand_no_new_faults(const std::set<std::string> & before,
                                        const Nodes & also) const {
  std::vector<std::string> more = problems_of(strategy(), also);
  std::erase_if(more, [&before](const auto & problem) {
    return before.contains(TaskNames::without_list(problem));
  });
  demand_none(more);
}

void TaskRegistry::set_strategy(const GivenStrategy & strategy) {
  if (!nodes().empty() || processors_->spinning()) {
    check_strategies(strategy);
  } else if (strategy) {
    log_("the executor has no node yet: its strategy is checked when spin() begins");
  }
  GivenStrategy old;
  {
    const os::Lock lock(mutex_);
    old = std::exchange(strategy_, strategy);
  }
  try {
    submit([this] { refresh(); });
  } catch (...) {
    const os::Lock lock(mutex_);
    strategy_ = old;
    throw;
  }
}

void TaskRegistry::check_plans() {
  demand_none(problems_of(strategy()));
  demand_none(plan(strategy()).data.problems);
  submit([this] { refresh(); });
}

void TaskRegistry::strategy_changed() {
  if (processors_->spinning()) check_strategies(strategy());
  submit([this] { refresh(); });
}

void TaskRegistry::publishers_changed() {
  if (bounds_ > 0 || ages_matter_) submit([this] { refresh_or_log(); });
}

std::int64_t TaskRegistry::request_scenario(std::string_view name) {
  return scenarios_->request(name);
}

}  // namespace takt::tasks
