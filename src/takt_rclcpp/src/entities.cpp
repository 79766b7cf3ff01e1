// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "entities.hpp"

#include <algorithm>
#include <exception>
#include <variant>

#include "request_entity.hpp"
#include "subscription_entity.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/same_owner.hpp"
#include "takt_core/tasks/task_names.hpp"

namespace takt::rclcpp {

/// An entity of a callback group. Held by a weak pointer, because it may be destroyed at any time.
struct Entities::Found {
  using AnyEntity = std::variant<::rclcpp::SubscriptionBase::WeakPtr,
                                 ::rclcpp::ServiceBase::WeakPtr, ::rclcpp::ClientBase::WeakPtr,
                                 ::rclcpp::Waitable::WeakPtr, ::rclcpp::TimerBase::WeakPtr>;
  std::shared_ptr<NodeView> node;
  Group::SharedPtr group;
  const void * key = nullptr;
  std::weak_ptr<const void> identity;
  AnyEntity entity;
};

// ---- finding entities ---------------------------------------------------------------------------

std::vector<Entities::Found> Entities::find(const Groups & groups) {
  std::vector<Found> all;
  std::vector<Found> timers;  // appended at the end, because they may read subscriptions
  std::set<const void *> intra_process;
  for (const auto & [group, base] : groups) {
    const auto node = view_of(base);
    const auto add_to = [&node, &group = group](std::vector<Found> & to) {
      return [&node, &group, &to](const auto & entity) {
        to.push_back({node, group, entity.get(), entity, std::weak_ptr(entity)});
      };
    };
    const auto add = add_to(all);
    group->collect_all_ptrs(
        [&](const ::rclcpp::SubscriptionBase::SharedPtr & subscription) {
          add(subscription);
          if (const auto part = subscription->get_intra_process_waitable()) {
            intra_process.insert(part.get());
          }
        },
        add, add, add_to(timers), add);
  }
  std::erase_if(all, [&](const Found & found) { return intra_process.contains(found.key); });
  all.insert(all.end(), timers.begin(), timers.end());
  return all;
}

std::shared_ptr<NodeView> Entities::view_of(const NodeView::Base::SharedPtr & base) {
  std::shared_ptr<NodeView> & view = view_of_base_[base];
  if (view == nullptr) {
    view = std::make_shared<NodeView>(base, channels_, graph_);
    views_.push_back({base, view, ""});
  }
  return view;
}

CallbackGroup::SharedPtr Entities::group_of(const Group::SharedPtr & group) {
  auto & [weak, made] = groups_[group.get()];
  if (made == nullptr || weak.lock() != group) {
    weak = group;
    const bool reentrant = group->type() == ::rclcpp::CallbackGroupType::Reentrant;
    made = std::make_shared<CallbackGroup>(reentrant ? CallbackGroupType::reentrant
                                                     : CallbackGroupType::mutually_exclusive);
  }
  return made;
}

// ---- changes ------------------------------------------------------------------------------------

void Entities::refresh(const std::function<Groups()> & groups) {
  std::exception_ptr failed;
  for (bool complete = false; !complete;) {
    std::uint64_t departures = 0;
    {
      const os::Lock lock(mutex_);
      departures = departures_;
    }
    const std::vector<Found> found = find(groups());
    departing_.forget_returned();
    const std::vector<Known> going = remove(found);
    complete = add(found, departures, failed);
    if (complete) {
      std::erase_if(replaced_,
                    [this](const auto & old) { return !postponed_.contains(old.first); });
    }
    end_removed(going);
  }
  has_postponed_.store(!postponed_.empty());
  std::erase_if(groups_, [](const auto & group) { return group.second.first.expired(); });
  watcher_->wait_again();
  if (failed != nullptr) std::rethrow_exception(failed);
}

void Entities::clear() {
  refresh([] { return Groups(); });
}

std::vector<Entities::Known> Entities::remove(const std::vector<Found> & found) {
  std::map<const void *, const Found *> present;
  for (const Found & each : found) present.emplace(each.key, &each);
  std::vector<Known> gone;
  {
    const os::Lock lock(mutex_);
    for (auto it = known_.begin(); it != known_.end();) {
      const Known & known = it->second;
      const auto at = present.find(it->first);
      const bool stays =
          at != present.end() && tasks::same_owner(known.entity, at->second->identity) &&
          tasks::same_owner(known.group, at->second->group) && known.node == at->second->node;
      if (stays && known.version == options_.of(it->first, known.entity).version) {
        ++it;
        continue;
      }
      // If its options have changed, it is notified until its successor is.
      if (stays) replaced_[it->first] = known.task;
      removed_.push_back(known);
      it = known_.erase(it);
    }
    gone = removed_;
  }
  std::set<const Entity *> listening;
  for (const Known & known : gone) {
    const auto replaced = std::find_if(replaced_.begin(), replaced_.end(),
                                       [&](const auto & old) { return old.second == known.task; });
    if (replaced == replaced_.end()) continue;
    const auto at = present.find(replaced->first);
    if (at != present.end() && tasks::same_owner(known.entity, at->second->identity)) {
      listening.insert(known.task.get());
    } else {
      replaced_.erase(replaced);
    }
  }
  std::vector<std::shared_ptr<tasks::Callback>> callbacks;
  for (const Known & known : gone) {
    if (!listening.contains(known.task.get())) known.task->end();
    callbacks.push_back(known.task);
  }
  auto jobs = registry_->retire(callbacks);
  for (const Known & known : gone) {
    known.task->detach();
    departing_.add(
        {known.task, known.entity, known.node, known.group, std::move(jobs[known.task.get()])});
  }
  std::set<const NodeView *> staying;
  for (const Found & each : found) staying.insert(each.node.get());
  tasks::TaskRegistry::Nodes leaving;
  for (auto it = views_.begin(); it != views_.end();) {
    NodeView & node = *it->node;
    if (staying.contains(&node)) {
      ++it;
      continue;
    }
    if (node.listener() != nullptr) leaving.push_back(it->node);
    refused_reads_.erase(&node);
    view_of_base_.erase(it->base);
    it = views_.erase(it);
  }
  registry_->remove_nodes(leaving);
  return gone;
}

void Entities::end_removed(const std::vector<Known> & gone) {
  std::set<const Entity *> over;
  for (const Known & known : gone) over.insert(known.task.get());
  for (const auto & [key, old] : replaced_) over.erase(old.get());
  for (const Known & known : gone) {
    if (over.contains(known.task.get())) known.task->end();
  }
  const os::Lock lock(mutex_);
  std::erase_if(removed_, [&over](const Known & known) { return over.contains(known.task.get()); });
}

bool Entities::end_departed() {
  std::vector<Known> going;
  {
    const os::Lock lock(mutex_);
    ++departures_;
    for (auto it = known_.begin(); it != known_.end();) {
      const auto group = it->second.group.lock();
      if (group != nullptr && group->get_associated_with_executor_atomic().load()) {
        ++it;
        continue;
      }
      removed_.push_back(it->second);
      it = known_.erase(it);
    }
    going = removed_;  // includes the entities that a concurrent refresh() is about to end
  }
  for (const Known & known : going) known.task->end();
  return !going.empty();
}

namespace {

/// Calls the function. Its exception is stored in `failed` if that is the first one.
template <typename FunctionT>
void attempt(std::exception_ptr & failed, const FunctionT & function) {
  try {
    function();
  } catch (...) {
    if (failed == nullptr) failed = std::current_exception();
  }
}

}  // namespace

bool Entities::add(const std::vector<Found> & found, std::uint64_t departures,
                   std::exception_ptr & failed) {
  std::set<const tasks::Node *> changed;
  std::vector<std::shared_ptr<tasks::Callback>> listed;
  bool complete = true;
  postponed_.clear();
  for (const Found & each : found) {
    {
      const os::Lock lock(mutex_);
      if (known_.contains(each.key)) continue;
    }
    if (departing_.exclude(each.identity, each.group)) {
      postponed_.insert(each.key);
      continue;
    }
    attempt(failed, [&] {
      const GivenOptions::Given given = options_.of(each.key, each.identity);
      const std::shared_ptr<Entity> task = make(each, given);
      if (task == nullptr) return;  // the entity has just been destroyed
      const auto before = replaced_.find(each.key);
      // Of the same type, because it is a task of the same object.
      if (before != replaced_.end()) task->take_over(*before->second);
      {
        const os::Lock lock(mutex_);
        complete = complete && departures == departures_;
        if (!complete) return;
        known_[each.key] = {each.identity, task, each.node, each.group, given.version, false};
      }
      try {
        each.node->enlist(task);
      } catch (...) {
        const os::Lock lock(mutex_);
        known_.erase(each.key);
        throw;
      }
      {
        const os::Lock lock(mutex_);
        const auto known = known_.find(each.key);
        if (known != known_.end() && known->second.task == task) known->second.listed = true;
      }
      changed.insert(each.node.get());
      listed.push_back(task);
    });
    if (!complete) break;
  }
  if (!changed.empty()) graph_->changed();
  read(changed, failed);
  attempt(failed, [&] { registry_->add(listed); });
  add_nodes(failed);
  // Publishers that are created or destroyed are not announced, but usually their events are new entities.
  attempt(failed, [this] { registry_->publishers_changed(); });
  return complete;
}

/// Adds the nodes to the registry. While the executor spins, a node that is refused is reported once and is
/// tried again later.
void Entities::add_nodes(std::exception_ptr & failed) {
  tasks::TaskRegistry::Nodes missing;
  for (const View & view : views_) {
    if (view.node->listener() == nullptr) missing.push_back(view.node);
  }
  // Together first; if they are refused, one by one, which says which of them and lets the others run.
  bool together = false;
  attempt(failed, [&] {
    try {
      registry_->add_nodes(missing);
      together = true;
    } catch (const Error &) {
      together = false;
    }
  });
  if (together) {
    for (View & view : views_) view.refusal.clear();
    return;
  }
  // Repeated, because a node may publish a topic that another one lacked.
  for (bool added = true; added;) {
    added = false;
    for (View & view : views_) {
      if (view.node->listener() != nullptr) continue;
      attempt(failed, [&] {
        try {
          registry_->add_nodes({view.node});
          added = true;
          view.refusal.clear();
        } catch (const Error & error) {
          const std::string refusal =
              "node '" + std::string(view.node->name()) + "' does not run: " + error.what();
          if (!watcher_->listening.load()) throw Error(refusal);
          if (refusal != view.refusal) registry_->log(refusal);
          view.refusal = refusal;
        }
      });
    }
  }
}

namespace {

/// Maps the types of rclcpp's entities to those of their tasks.
struct Made {
  static SubscriptionEntity of(const ::rclcpp::SubscriptionBase &);
  static ServiceEntity of(const ::rclcpp::ServiceBase &);
  static ClientEntity of(const ::rclcpp::ClientBase &);
  static WaitableEntity of(const ::rclcpp::Waitable &);
  static TimerEntity of(const ::rclcpp::TimerBase &);
};

}  // namespace

std::shared_ptr<Entity> Entities::make(const Found & found, const GivenOptions::Given & given) {
  const auto make = [&](const auto & weak) -> std::shared_ptr<Entity> {
    const auto entity = weak.lock();
    if (entity == nullptr) return nullptr;
    return std::make_shared<decltype(Made::of(*entity))>(found.node, entity, group_of(found.group),
                                                         given.options, watcher_);
  };
  return std::visit(make, found.entity);
}

// ---- reads --------------------------------------------------------------------------------------

/// Sets what the timers of these nodes read, and those of nodes where that was refused before.
void Entities::read(const std::set<const tasks::Node *> & changed, std::exception_ptr & failed) {
  std::set<const tasks::Node *> nodes = changed;
  nodes.insert(refused_reads_.begin(), refused_reads_.end());
  refused_reads_.clear();
  if (nodes.empty()) return;
  tasks::TaskNames names;  // for the strategy
  std::vector<std::pair<const void *, std::shared_ptr<TimerEntity>>> timers;
  {
    const os::Lock lock(mutex_);
    for (const auto & [key, known] : known_) {
      if (strategy_ != nullptr) names.add(known.task);
      auto timer = std::dynamic_pointer_cast<TimerEntity>(known.task);
      if (timer != nullptr && nodes.contains(known.node.get())) timers.emplace_back(key, timer);
    }
  }
  const TaskOf task_of = [this](const ::rclcpp::SubscriptionBase::SharedPtr & subscription) {
    const os::Lock lock(mutex_);
    const auto known = known_.find(subscription.get());
    return known != known_.end() ? known->second.task : nullptr;
  };
  const TopicsOfTasks topics =
      strategy_ != nullptr ? topics_of_tasks(*strategy_, names) : TopicsOfTasks();
  for (const auto & [key, timer] : timers) {
    const auto own = timer->timer();
    if (own == nullptr) continue;
    try {
      timer->set_reads(reads_of(*timer, options_.of(key, own), task_of, topics));
    } catch (...) {
      refused_reads_.insert(&timer->node());
      if (failed == nullptr) failed = std::current_exception();
    }
  }
}

void Entities::set_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  strategy_ = strategy;
  graph_->changed();
  std::set<const tasks::Node *> nodes;
  for (const View & view : views_) nodes.insert(view.node.get());
  std::exception_ptr failed;
  read(nodes, failed);
  if (failed != nullptr) std::rethrow_exception(failed);
}

// ---- notifications ------------------------------------------------------------------------------

std::vector<std::shared_ptr<Entity>> Entities::all() const {
  std::vector<std::shared_ptr<Entity>> all;
  const os::Lock lock(mutex_);
  for (const auto & [key, known] : known_) all.push_back(known.task);
  return all;
}

void Entities::listen(bool on) {
  watcher_->listening.store(on);
  for (const auto & task : all()) task->listen(on);
}

std::string Entities::name_of(const std::shared_ptr<const void> & entity) const {
  const os::Lock lock(mutex_);
  const auto known = known_.find(entity.get());
  const bool is = known != known_.end() && known->second.listed &&
                  tasks::same_owner(known->second.entity, entity);
  return is ? known->second.task->id() : "";
}

Entities::Waiting Entities::waiting() const {
  Waiting waiting;
  for (const auto & task : all()) {
    if (auto timer = std::dynamic_pointer_cast<TimerEntity>(task)) {
      if (timer->follows_ros_time()) waiting.timers.push_back(std::move(timer));
    } else if (auto waitable = std::dynamic_pointer_cast<WaitableEntity>(task)) {
      if (waitable->waits()) waiting.waitables.push_back(std::move(waitable));
    }
  }
  return waiting;
}

}  // namespace takt::rclcpp
