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

/// The numbers of an executor's topics as its scheduler knows them. Thread-safe.
class Channels {
 public:
  model::ChannelId number(const std::string & topic);
  std::map<std::string, model::ChannelId> all() const;

 private:
  mutable os::Mutex mutex_{os::LockRank::channels};
  std::map<std::string, model::ChannelId> numbers_ TAKT_GUARDED_BY(mutex_);
};

/// A node of rclcpp as the registry of tasks knows it. Knows it weakly.
class NodeView : public tasks::Node {
 public:
  using Base = ::rclcpp::node_interfaces::NodeBaseInterface;

  NodeView(const Base::SharedPtr & base, std::shared_ptr<Channels> channels,
           std::shared_ptr<Graph> graph);

  Base::SharedPtr base() const { return base_.lock(); }
  /// A topic's or service's resolved name as the node would say it: without its own namespace, or
  /// its own name if it is private.
  std::string short_name(const std::string & resolved) const;

  std::string resolve_name(const std::string & name, bool is_service) const override;
  model::ChannelId channel(const std::string & topic) const override;
  std::map<std::string, model::ChannelId> channels() const override { return channels_->all(); }
  std::optional<std::int64_t> simulated_now() const override { return std::nullopt; }
  /// A thread of rclcpp that takes /clock for it alone.
  std::string unplanned() const override;
  /// Empty when the node has gone.
  std::vector<std::string> published() const override;

 private:
  const Base::WeakPtr base_;
  const std::shared_ptr<Channels> channels_;
  const std::shared_ptr<Graph> graph_;
};

}  // namespace takt::rclcpp
