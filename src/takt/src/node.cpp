// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/node.hpp"

#include <rcl/arguments.h>
#include <rcl/node_options.h>

#include <vector>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

/// rcl_node_options_t with what takt's options say.
class RclNodeOptions {
 public:
  RclNodeOptions(const std::string & node, const NodeOptions & options)
      : options_(rcl_node_get_default_options()) {
    options_.use_global_arguments = options.use_global_arguments;
    options_.enable_rosout = options.enable_rosout;
    std::vector<const char *> arguments;
    for (const auto & argument : options.arguments) arguments.push_back(argument.c_str());
    detail::check(rcl_parse_arguments(static_cast<int>(arguments.size()), arguments.data(),
                                      options_.allocator, &options_.arguments),
                  "node '" + node + "': cannot parse its arguments");
  }
  ~RclNodeOptions() {
    if (rcl_node_options_fini(&options_) != RCL_RET_OK) detail::take_rcl_error();
  }
  RclNodeOptions(const RclNodeOptions &) = delete;
  RclNodeOptions & operator=(const RclNodeOptions &) = delete;
  const rcl_node_options_t & get() const noexcept { return options_; }

 private:
  rcl_node_options_t options_;
};

}  // namespace

Node::Node(const std::string & name, const NodeOptions & options)
    : options_(options),
      base_(std::make_shared<NodeBase>(
          options.context != nullptr ? options.context : default_context(), name,
          options.namespace_, RclNodeOptions(name, options).get())) {}

Node::~Node() = default;

std::string Node::get_name() const { return base_->name(); }
std::string Node::get_namespace() const { return rcl_node_get_namespace(base_->rcl_node()); }
std::string Node::get_fully_qualified_name() const { return base_->fully_qualified_name(); }

CallbackGroup::SharedPtr Node::create_callback_group(CallbackGroupType type) {
  return std::make_shared<CallbackGroup>(type);
}

}  // namespace takt
