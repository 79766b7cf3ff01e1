// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "entities.hpp"

#include <algorithm>
#include <exception>
#include <set>

#include "queued_entity.hpp"
#include "subscription_entity.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/task_names.hpp"

namespace takt::rclcpp {

/// An entity of a callback group; one of the pointers is set.
struct Entities::Found {
  std::shared_ptr<NodeView> node;
  Group::SharedPtr group;
  ::rclcpp::SubscriptionBase::SharedPtr subscription = nullptr;
  ::rclcpp::ServiceBase::SharedPtr service = nullptr;
  ::rclcpp::ClientBase::SharedPtr client = nullptr;
  ::rclcpp::Waitable::SharedPtr waitable = nullptr;
  ::rclcpp::TimerBase::SharedPtr timer = nullptr;

  std::shared_ptr<const void> entity() const {
    if (subscription != nullptr) return subscription;
    if (service != nullptr) return service;
    if (client != nullptr) return client;
    if (waitable != nullptr) return waitable;
    return timer;
  }
};

// ---- looking ------------------------------------------------------------------------------------

std::vector<Entities::Found> Entities::find(const Groups & groups) {
  std::vector<Found> all;
  std::vector<Found> timers;  // last: they may read subscriptions
  std::set<const ::rclcpp::Waitable *> intra_process;
  for (const auto & [group, base] : groups) {
    const Found at{view_of(base), group};
    const auto add = [&all, &at](auto member, const auto & entity) {
      all.push_back(at);
      all.back().*member = entity;
    };
    group->collect_all_ptrs(
        [&](const ::rclcpp::SubscriptionBase::SharedPtr & subscription) {
          add(&Found::subscription, subscription);
          if (const auto part = subscription->get_intra_process_waitable()) {
            intra_process.insert(part.get());
          }
        },
        [&](const ::rclcpp::ServiceBase::SharedPtr & service) { add(&Found::service, service); },
        [&](const ::rclcpp::ClientBase::SharedPtr & client) { add(&Found::client, client); },
        [&](const ::rclcpp::TimerBase::SharedPtr & timer) {
          timers.push_back(at);
          timers.back().timer = timer;
        },
        [&](const ::rclcpp::Waitable::SharedPtr & waitable) { add(&Found::waitable, waitable); });
  }
  std::erase_if(all, [&](const Found & found) {
    return found.waitable != nullptr && intra_process.contains(found.waitable.get());
  });
  all.insert(all.end(), timers.begin(), timers.end());
  return all;
}

std::shared_ptr<NodeView> Entities::view_of(const NodeView::Base::SharedPtr & base) {
  auto & [weak, view] = views_[base.get()];
  if (view == nullptr || weak.lock() != base) {
    weak = base;
    view = std::make_shared<NodeView>(base, channels_);
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

void Entities::refresh(const Groups & groups) {
  const std::vector<Found> found = find(groups);
  remove(found);
  add(found);
  std::erase_if(groups_, [](const auto & group) { return group.second.first.expired(); });
  keeper_->wait_again();
}

void Entities::remove(const std::vector<Found> & found) {
  std::map<const void *, const Found *> present;
  for (const Found & each : found) present.emplace(each.entity().get(), &each);
  std::vector<std::shared_ptr<Entity>> going;
  std::set<const NodeView *> staying;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = known_.begin(); it != known_.end();) {
      const Known & known = it->second;
      const auto at = present.find(it->first);
      const bool same = at != present.end() && known.entity.lock() == at->second->entity() &&
                        known.group == at->second->group.get() && known.node == at->second->node &&
                        known.version == options_.of(at->second->entity()).version;
      if (same) {
        ++it;
        continue;
      }
      going.push_back(known.task);
      it = known_.erase(it);
    }
  }
  for (const auto & task : going) {
    task->listen(false);
    task->detach();
  }
  for (const Found & each : found) staying.insert(each.node.get());
  for (auto it = views_.begin(); it != views_.end();) {
    const auto & view = it->second.second;
    if (staying.contains(view.get())) {
      ++it;
      continue;
    }
    if (view->listener() != nullptr) binder_->remove_node(*view);
    it = views_.erase(it);
  }
}

void Entities::add(const std::vector<Found> & found) {
  std::exception_ptr failed;
  const auto attempt = [&failed](const auto & function) {
    try {
      function();
    } catch (...) {
      if (failed == nullptr) failed = std::current_exception();
    }
  };
  std::set<const tasks::Node *> changed;
  for (const Found & each : found) {
    const auto entity = each.entity();
    {
      const std::lock_guard lock(mutex_);
      if (known_.contains(entity.get())) continue;
    }
    const GivenOptions::Given given = options_.of(entity);
    attempt([&] {
      const std::shared_ptr<Entity> task = make(each, given);
      {
        const std::lock_guard lock(mutex_);
        known_[entity.get()] = {entity, task, each.node, each.group.get(), given.version};
      }
      try {
        each.node->list(task);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        known_.erase(entity.get());
        throw;
      }
      changed.insert(each.node.get());
    });
  }
  std::vector<std::shared_ptr<TimerEntity>> timers;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [key, known] : known_) {
      if (!changed.contains(known.node.get())) continue;
      if (auto timer = std::dynamic_pointer_cast<TimerEntity>(known.task)) {
        timers.push_back(std::move(timer));
      }
    }
  }
  for (const auto & timer : timers) {
    attempt([&] { infer_reads(*timer); });
  }
  for (const auto & [base, view] : views_) {
    if (view.second->listener() != nullptr) continue;
    attempt([&, node = view.second] { binder_->add_node(*node); });
  }
  if (failed != nullptr) std::rethrow_exception(failed);
}

std::shared_ptr<Entity> Entities::make(const Found & found, const GivenOptions::Given & given) {
  const CallbackGroup::SharedPtr group = group_of(found.group);
  const TaskOptions & options = given.options;
  if (found.subscription != nullptr) {
    return std::make_shared<SubscriptionEntity>(found.node, found.subscription, group, options,
                                                keeper_);
  }
  if (found.service != nullptr) {
    return std::make_shared<ServiceEntity>(found.node, found.service, group, options, keeper_);
  }
  if (found.client != nullptr) {
    return std::make_shared<ClientEntity>(found.node, found.client, group, options, keeper_);
  }
  if (found.waitable != nullptr) {
    return std::make_shared<WaitableEntity>(found.node, found.waitable, group, options, keeper_);
  }
  return std::make_shared<TimerEntity>(found.node, found.timer, group, options, keeper_);
}

// ---- reads --------------------------------------------------------------------------------------

void Entities::set_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  strategy_ = strategy;
  std::vector<std::shared_ptr<Entity>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [key, known] : known_) all.push_back(known.task);
  }
  for (const auto & task : all) {
    if (auto * timer = dynamic_cast<TimerEntity *>(task.get())) infer_reads(*timer);
  }
}

std::shared_ptr<Entity> Entities::subscription_of(const tasks::Node & node,
                                                  const std::string & topic) const {
  for (const auto & callback : node.callbacks()) {
    if (callback->topic() == topic) return std::static_pointer_cast<Entity>(callback);
  }
  return nullptr;
}

/// What its options say, and the topics that the strategy says it subscribes to.
void Entities::infer_reads(TimerEntity & timer) {
  const auto own = timer.timer();
  if (own == nullptr) return;
  std::vector<tasks::TopicRead> reads;
  const auto has = [&reads](const std::string & topic) {
    return std::any_of(reads.begin(), reads.end(),
                       [&](const auto & read) { return read.subscription->topic() == topic; });
  };
  for (const auto & [weak, options] : options_.of(own).reads) {
    const auto subscription = weak.lock();
    if (subscription == nullptr) continue;
    auto entity = subscription_of(timer.node(), subscription->get_topic_name());
    if (entity == nullptr) {
      throw Error("'" + timer.id() + "' reads '" + subscription->get_topic_name() +
                  "' of another node, or of a callback group that is not of this executor");
    }
    reads.push_back({std::move(entity), options});
  }
  tasks::TaskNames names;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [key, known] : known_) names.add(known.task);
  }
  const auto add = [&](const std::string & name) {
    std::string topic;
    try {
      topic = timer.node().resolve_name(name, false);
    } catch (const Error &) {
      return;  // who checks the strategy says so
    }
    auto entity = subscription_of(timer.node(), topic);
    // Nothing was said of data that is too old and cannot be refreshed.
    if (entity != nullptr && !has(topic)) {
      reads.push_back({std::move(entity), {.on_stale = model::OnStale::report}});
    }
  };
  for (const auto & scenario :
       strategy_ != nullptr ? strategy_->scenarios() : std::vector<SchedulingScenario>()) {
    for (const SchedulingScenario::Entry & entry : scenario.tasks()) {
      if (names.find(entry.id).callback.get() != &timer) continue;
      for (const std::string & topic : entry.timing.subscribes.names()) add(topic);
      for (const auto & [topic, age] : entry.timing.max_age) add(topic);
    }
  }
  const auto old = timer.topics_read();
  const bool same =
      std::equal(old.begin(), old.end(), reads.begin(), reads.end(), [](auto & a, auto & b) {
        return a.subscription == b.subscription && a.options.max_age == b.options.max_age &&
               a.options.on_stale == b.options.on_stale;
      });
  if (!same) timer.set_reads(reads);
}

// ---- being told ---------------------------------------------------------------------------------

void Entities::listen(bool on) {
  std::vector<std::shared_ptr<Entity>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto & [key, known] : known_) all.push_back(known.task);
  }
  for (const auto & task : all) task->listen(on);
}

Entities::Waiting Entities::waiting() const {
  Waiting waiting;
  const std::lock_guard lock(mutex_);
  for (const auto & [key, known] : known_) {
    if (auto timer = std::dynamic_pointer_cast<TimerEntity>(known.task)) {
      if (timer->follows_ros_time()) waiting.timers.push_back(std::move(timer));
    } else if (auto waitable = std::dynamic_pointer_cast<WaitableEntity>(known.task)) {
      if (waitable->waits()) waiting.waitables.push_back(std::move(waitable));
    }
  }
  return waiting;
}

}  // namespace takt::rclcpp
