// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "takt_core/tasks/node.hpp"

namespace takt::testing {

/// A node without middleware.
class PlainNode : public tasks::Node {
 public:
  using tasks::Node::Node;
  std::string resolve_name(const std::string & name, bool) const override {
    return name.starts_with('/') ? name : "/" + name;
  }
  model::ChannelId channel(const std::string & topic) const override {
    return channels_.try_emplace(topic, static_cast<model::ChannelId>(channels_.size()))
        .first->second;
  }
  std::map<std::string, model::ChannelId> channels() const override { return channels_; }
  std::optional<std::int64_t> simulated_now() const override { return std::nullopt; }

 private:
  mutable std::map<std::string, model::ChannelId> channels_;
};

/// A callback that counts its jobs.
class PlainCallback : public tasks::Callback {
 public:
  using tasks::Callback::Callback;
  void execute(const executor::JobInfo &) override { ++jobs; }
  int jobs = 0;
};

/// Creates a timer of the node.
inline std::shared_ptr<PlainCallback> make_timer(const std::shared_ptr<tasks::Node> & node,
                                                 const std::string & name,
                                                 model::Duration period = 1'000'000'000) {
  model::Task task;
  task.id = name;
  task.period = period;
  task.deadline = period;
  auto timer = std::make_shared<PlainCallback>(node, std::move(task), nullptr);
  node->list(timer);
  return timer;
}

}  // namespace takt::testing
