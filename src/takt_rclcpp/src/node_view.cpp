// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_view.hpp"

#include <rcl/error_handling.h>
#include <rcl/graph.h>

#include <exception>
#include <utility>

#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {

model::ChannelId Channels::number(const std::string & topic) {
  const std::lock_guard lock(mutex_);
  const auto next = static_cast<model::ChannelId>(numbers_.size());
  return numbers_.try_emplace(topic, next).first->second;
}

std::map<std::string, model::ChannelId> Channels::all() const {
  const std::lock_guard lock(mutex_);
  return numbers_;
}

NodeView::NodeView(const Base::SharedPtr & base, std::shared_ptr<Channels> channels)
    : tasks::Node(base->get_fully_qualified_name()), base_(base), channels_(std::move(channels)) {}

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
  if (node == nullptr) throw NameError("node '" + std::string(this->name()) + "' has gone");
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

std::vector<std::string> NodeView::published() const {
  std::vector<std::string> topics;
  const auto node = base();
  if (node == nullptr) return topics;
  rcl_names_and_types_t names = rcl_get_zero_initialized_names_and_types();
  rcl_allocator_t allocator = rcl_get_default_allocator();
  if (rcl_get_publisher_names_and_types_by_node(node->get_rcl_node_handle(), &allocator, false,
                                                node->get_name(), node->get_namespace(),
                                                &names) != RCL_RET_OK) {
    rcl_reset_error();
    return topics;
  }
  for (std::size_t i = 0; i < names.names.size; ++i) topics.emplace_back(names.names.data[i]);
  if (rcl_names_and_types_fini(&names) != RCL_RET_OK) rcl_reset_error();
  return topics;
}

}  // namespace takt::rclcpp
