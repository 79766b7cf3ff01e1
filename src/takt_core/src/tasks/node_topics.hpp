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

  /// Why the node does not use the topic in this way; empty if it does. `name` is resolved by the
  /// node.
  std::string problem(const std::string & name, Use use) const;

 private:
  const Node & node_;
  std::vector<std::string> subscribed_;
  std::vector<std::string> published_;
};

}  // namespace takt::tasks
