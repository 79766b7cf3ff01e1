// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_topics.hpp"

#include <algorithm>

#include "takt_core/tasks/error.hpp"

namespace takt::tasks {

NodeTopics::NodeTopics(const Node & node) : node_(node), published_(node.published()) {
  for (const auto & callback : node.callbacks()) {
    if (!callback->topic().empty()) subscribed_.push_back(callback->topic());
  }
}

std::string NodeTopics::problem(const std::string & name, Use use) const {
  const bool subscribes = use == Use::subscribes;
  const std::vector<std::string> & topics = subscribes ? subscribed_ : published_;
  std::string resolved;
  try {
    resolved = node_.resolve_name(name, false);
  } catch (const Error & error) {
    return error.what();
  }
  if (std::find(topics.begin(), topics.end(), resolved) != topics.end()) return "";
  std::string result = "node '" + std::string(node_.name()) + "' ";
  result += (subscribes ? "does not subscribe to '" : "does not publish '") + resolved + "'";
  const char * before = subscribes ? "; it subscribes to " : "; it publishes ";
  for (const std::string & topic : topics) {
    result += before + topic;
    before = ", ";
  }
  return result;
}

}  // namespace takt::tasks
