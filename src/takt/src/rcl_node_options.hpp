// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/node_options.h>

#include <string>

#include "takt/node_options.hpp"

namespace takt::detail {

/// rcl_node_options_t with what takt's options say.
class RclNodeOptions {
 public:
  /// `node`: its name, for errors. Throws RclError. Allocates.
  RclNodeOptions(const std::string & node, const NodeOptions & options);
  ~RclNodeOptions();
  RclNodeOptions(const RclNodeOptions &) = delete;
  RclNodeOptions & operator=(const RclNodeOptions &) = delete;
  const rcl_node_options_t & get() const noexcept { return options_; }

 private:
  rcl_node_options_t options_;
};

}  // namespace takt::detail
