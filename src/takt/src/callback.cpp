// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/callback.hpp"

#include <utility>

#include "takt/node_base.hpp"

namespace takt {

WaitSetSize & WaitSetSize::operator+=(const WaitSetSize & other) noexcept {
  subscriptions += other.subscriptions;
  guard_conditions += other.guard_conditions;
  timers += other.timers;
  clients += other.clients;
  services += other.services;
  return *this;
}

Callback::Callback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
                   const Demand & demand)
    : tasks::Callback(std::move(node), std::move(task), std::move(group), demand) {}

NodeBase & Callback::node() const noexcept {
  return static_cast<NodeBase &>(tasks::Callback::node());
}

}  // namespace takt
