// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rcl_node_options.hpp"

#include <rcl/arguments.h>

#include <vector>

#include "takt/exceptions.hpp"
#include "takt_core/os/c_locale.hpp"

namespace takt::detail {

RclNodeOptions::RclNodeOptions(const std::string & node, const NodeOptions & options)
    : options_(rcl_node_get_default_options()) {
  options_.use_global_arguments = options.use_global_arguments;
  options_.enable_rosout = options.enable_rosout;
  std::vector<const char *> arguments;
  for (const auto & argument : options.arguments) arguments.push_back(argument.c_str());
  const os::CLocale parameters;  // numbers in parameters have a decimal point in any locale
  check(rcl_parse_arguments(static_cast<int>(arguments.size()), arguments.data(),
                            options_.allocator, &options_.arguments),
        "node '" + node + "': cannot parse its arguments");
}

RclNodeOptions::~RclNodeOptions() {
  if (rcl_node_options_fini(&options_) != RCL_RET_OK) take_rcl_error();
}

}  // namespace takt::detail
