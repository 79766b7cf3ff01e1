// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "departing_entities.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "takt_core/tasks/same_owner.hpp"

namespace takt::rclcpp {
namespace {

/// Removes the departures that are complete. Returns whether all are.
bool over(tasks::TaskRegistry::Departures & jobs) {
  std::erase_if(jobs, [](executor::Departures & each) { return each.wait_until(0); });
  return jobs.empty();
}

}  // namespace

void DepartingEntities::add(Departing departing) {
  if (over(departing.jobs)) return;
  const os::Lock lock(mutex_);
  all_.push_back(std::move(departing));
}

std::vector<DepartingEntities::Departing> DepartingEntities::all() const {
  const os::Lock lock(mutex_);
  return all_;
}

void DepartingEntities::forget_returned() {
  std::vector<Departing> all = this->all();
  std::set<const Entity *> returned;
  for (Departing & each : all) {
    if (over(each.jobs)) returned.insert(each.task.get());
  }
  // The removed entities are destroyed with `all`, when no mutex is held.
  const os::Lock lock(mutex_);
  std::erase_if(all_, [&](const Departing & each) { return returned.contains(each.task.get()); });
}

bool DepartingEntities::exclude(const std::weak_ptr<const void> & entity,
                                const Group::SharedPtr & group) const {
  const bool exclusive = group->type() == ::rclcpp::CallbackGroupType::MutuallyExclusive;
  const os::Lock lock(mutex_);
  return std::any_of(all_.begin(), all_.end(), [&](const Departing & each) {
    return tasks::same_owner(each.entity, entity) ||
           (exclusive && tasks::same_owner(each.group, group));
  });
}

std::vector<std::string> DepartingEntities::finish(const NodeView::Base::SharedPtr & node,
                                                   os::Time instant) {
  std::vector<std::string> left;
  for (Departing & each : all()) {
    if (node != nullptr && each.node->base() != node) continue;
    for (executor::Departures & jobs : each.jobs) {
      if (jobs.wait_until(instant)) continue;
      for (std::string & name : jobs.unfinished()) left.push_back(std::move(name));
    }
  }
  forget_returned();
  return left;
}

}  // namespace takt::rclcpp
