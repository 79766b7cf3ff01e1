// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "takt_core/tasks/node.hpp"

namespace takt::tasks {

/// The topics that a node subscribes to and publishes.
class NodeTopics {
 public:
  enum class Use : std::uint8_t { subscribes, publishes };

  explicit NodeTopics(const Node & node);

  /// Empty if the node uses the topic so; `name` as the node would say it.
  std::string problem(const std::string & name, Use use) const;

 private:
  const Node & node_;
  std::vector<std::string> subscribed_;
  std::vector<std::string> published_;
};

}  // namespace takt::tasks
