// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/callback.hpp"

#include <mutex>
#include <utility>

#include "takt/node_base.hpp"

namespace takt {

WaitSetSize & WaitSetSize::operator+=(const WaitSetSize & other) noexcept {
  subscriptions += other.subscriptions;
  guard_conditions += other.guard_conditions;
  timers += other.timers;
  clients += other.clients;
  services += other.services;
  events += other.events;
  return *this;
}

Callback::Callback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group)
    : task_(std::move(task)), node_(std::move(node)), group_(std::move(group)) {}

Callback::~Callback() = default;

CallbackGroup::SharedPtr Callback::group() const {
  return group_ != nullptr ? group_ : node_->default_group();
}

void Callback::set_notify(Notify notify, void * context) {
  const std::lock_guard lock(notify_mutex_);
  notify_ = notify;
  notify_context_ = context;
  if (notify_ != nullptr && unheard_ > 0) notify_(notify_context_, std::exchange(unheard_, 0));
}

void Callback::detach() { node_->remove(*this); }

void Callback::released(std::size_t count) noexcept {
  const std::lock_guard lock(notify_mutex_);
  if (notify_ != nullptr) {
    notify_(notify_context_, count);
  } else {
    unheard_ += count;
  }
}

void Callback::changed() { node_->changed(shared_from_this()); }

}  // namespace takt
