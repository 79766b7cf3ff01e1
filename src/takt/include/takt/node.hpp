// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "takt/callback_group.hpp"
#include "takt/node_base.hpp"
#include "takt/node_options.hpp"

namespace takt {

/// A ROS node. Made by itself or derived from; what it creates lives as long as its handles and may
/// outlive the node. Set-up functions throw takt::Error, allocate and block.
class Node {
 public:
  using SharedPtr = std::shared_ptr<Node>;

  explicit Node(const std::string & name, const NodeOptions & options = {});
  virtual ~Node();
  Node(const Node &) = delete;
  Node & operator=(const Node &) = delete;

  std::string get_name() const;
  std::string get_namespace() const;
  std::string get_fully_qualified_name() const;

  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType type);

  /// The inner part, for executors and entities.
  const std::shared_ptr<NodeBase> & base() const noexcept { return base_; }

 private:
  NodeOptions options_;
  std::shared_ptr<NodeBase> base_;
};

}  // namespace takt
