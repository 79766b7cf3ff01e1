// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/node_interfaces/node_base_interface.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/node.hpp"

namespace takt::rclcpp {

/// The numbers by which the scheduler of an executor knows topics. Thread-safe.
class Channels {
 public:
  model::ChannelId number(const std::string & topic);
  std::map<std::string, model::ChannelId> all() const;

 private:
  mutable os::Mutex mutex_{os::LockRank::channels};
  std::map<std::string, model::ChannelId> numbers_ TAKT_GUARDED_BY(mutex_);
};

/// The interface of an rclcpp node to the task registry. Holds a weak pointer to the node.
class NodeView : public tasks::Node {
 public:
  using Base = ::rclcpp::node_interfaces::NodeBaseInterface;

  NodeView(const Base::SharedPtr & base, std::shared_ptr<Channels> channels,
           std::shared_ptr<Graph> graph);

  Base::SharedPtr base() const { return base_.lock(); }
  /// Returns the short form of the expanded name of a topic or service: without the node's namespace, or
  /// without the node's full name if the name is private.
  std::string short_name(const std::string & resolved) const;

  std::string resolve_name(const std::string & name, bool is_service) const override;
  model::ChannelId channel(const std::string & topic) const override;
  std::map<std::string, model::ChannelId> channels() const override { return channels_->all(); }
  std::optional<std::int64_t> simulated_now() const override { return std::nullopt; }
  /// Returns a note if rclcpp runs a thread for the node that takes /clock, which the priority plan does
  /// not cover.
  std::string unplanned() const override;
  /// Returns the topics that the node publishes; none if it has been destroyed.
  std::vector<std::string> published() const override;

 private:
  const Base::WeakPtr base_;
  const std::shared_ptr<Channels> channels_;
  const std::shared_ptr<Graph> graph_;
};

}  // namespace takt::rclcpp
