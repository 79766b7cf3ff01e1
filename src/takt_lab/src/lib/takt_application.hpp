// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <takt/node.hpp>
#include <vector>

#include "application.hpp"

namespace takt::lab {

/// An application with takt's own nodes.
class TaktApplication : public Application {
 public:
  /// See Application. Throws also takt::Error.
  TaktApplication(const Spec & spec, std::optional<std::uint32_t> node, const Work & work,
                  model::Duration length);

  const std::vector<std::shared_ptr<Node>> & nodes() const noexcept { return nodes_; }

 private:
  void add(WorkTask & task, Node & node, const CallbackGroup::SharedPtr & group);

  std::vector<std::shared_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<Timer>> timers_;  // last, so that they are destroyed first
};

}  // namespace takt::lab
