// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/node_options.h>

#include <string>

#include "takt/node_options.hpp"

namespace takt::detail {

/// An rcl_node_options_t made from takt's NodeOptions.
class RclNodeOptions {
 public:
  /// `node` is the node's name, for error messages. Throws RclError. Allocates.
  RclNodeOptions(const std::string & node, const NodeOptions & options);
  ~RclNodeOptions();
  RclNodeOptions(const RclNodeOptions &) = delete;
  RclNodeOptions & operator=(const RclNodeOptions &) = delete;
  const rcl_node_options_t & get() const noexcept { return options_; }

 private:
  rcl_node_options_t options_;
};

}  // namespace takt::detail
