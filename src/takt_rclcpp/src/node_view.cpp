// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_view.hpp"

#include <exception>
#include <utility>

#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {

model::ChannelId Channels::number(const std::string & topic) {
  const os::Lock lock(mutex_);
  const auto next = static_cast<model::ChannelId>(numbers_.size());
  return numbers_.try_emplace(topic, next).first->second;
}

std::map<std::string, model::ChannelId> Channels::all() const {
  const os::Lock lock(mutex_);
  return numbers_;
}

NodeView::NodeView(const Base::SharedPtr & base, std::shared_ptr<Channels> channels,
                   std::shared_ptr<Graph> graph)
    : tasks::Node(base->get_fully_qualified_name()),
      base_(base),
      channels_(std::move(channels)),
      graph_(std::move(graph)) {}

std::string NodeView::short_name(const std::string & resolved) const {
  const std::string full = fully_qualified_name();
  const std::string own = full + "/";
  const std::string space = full.substr(0, full.rfind('/') + 1);
  for (const std::string & prefix : {own, space}) {
    if (resolved.starts_with(prefix)) return resolved.substr(prefix.size());
  }
  return resolved;
}

std::string NodeView::resolve_name(const std::string & name, bool is_service) const {
  const auto node = base();
  if (node == nullptr) throw NameError("node '" + std::string(this->name()) + "' is destroyed");
  try {
    return node->resolve_topic_or_service_name(name, is_service);
  } catch (const std::exception & error) {
    throw NameError("node '" + std::string(this->name()) + "' cannot resolve the name '" + name +
                    "': " + error.what());
  }
}

model::ChannelId NodeView::channel(const std::string & topic) const {
  return channels_->number(topic);
}

std::string NodeView::unplanned() const {
  const auto node = base();
  if (node == nullptr) return {};
  // The thread has no name by which it could be found, but it spins a callback group that is not added to
  // executors automatically.
  const std::string clock = node->resolve_topic_or_service_name("/clock", false);
  bool takes_clock = false;
  node->for_each_callback_group([&](const ::rclcpp::CallbackGroup::SharedPtr & group) {
    if (group->automatically_add_to_executor_with_node()) return;
    if (!group->get_associated_with_executor_atomic().load()) return;
    const auto found = group->find_subscription_ptrs_if(
        [&clock](const auto & subscription) { return clock == subscription->get_topic_name(); });
    takes_clock = takes_clock || found != nullptr;
  });
  if (!takes_clock) return {};
  return "rclcpp takes /clock on a thread of its own for each node, which the priority plan does "
         "not cover: NodeOptions().use_clock_thread(false) makes it a task";
}

std::vector<std::string> NodeView::published() const {
  const auto node = base();
  return node != nullptr ? graph_->published_by(*node) : std::vector<std::string>();
}

}  // namespace takt::rclcpp
