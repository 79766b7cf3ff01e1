// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/node_base.hpp"

#include <utility>

#include "logging_system.hpp"
#include "takt/exceptions.hpp"
#include "takt/exchange.hpp"

namespace takt {

namespace detail {

RclNode::RclNode(std::shared_ptr<Context> context, const std::string & name,
                 const std::string & namespace_, const rcl_node_options_t & options)
    : context_(std::move(context)), rcl_node_(rcl_get_zero_initialized_node()) {
  check(rcl_node_init(&rcl_node_, name.c_str(), namespace_.c_str(), context_->rcl_context(),
                      &options),
        "cannot create node '" + name + "'");
  rosout_add(rcl_node_);
}

RclNode::~RclNode() {
  rosout_remove(rcl_node_);
  if (rcl_node_fini(&rcl_node_) != RCL_RET_OK) take_rcl_error();
}

}  // namespace detail

NodeBase::NodeBase(std::shared_ptr<Context> context, const std::string & name,
                   const std::string & namespace_, const rcl_node_options_t & options,
                   bool intra_process, std::optional<std::size_t> processor)
    : RclNode(std::move(context), name, namespace_, options),
      tasks::Node(rcl_node_get_fully_qualified_name(&rcl_node_), processor),
      intra_process_(intra_process) {}

std::string NodeBase::resolve_name(const std::string & name, bool is_service) const {
  char * resolved = nullptr;
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  detail::check(
      rcl_node_resolve_name(&rcl_node_, name.c_str(), allocator, is_service, false, &resolved),
      "node '" + std::string(this->name()) + "' cannot resolve the name '" + name + "'");
  std::string result(resolved);
  allocator.deallocate(resolved, allocator.state);
  return result;
}

model::ChannelId NodeBase::channel(const std::string & topic) const {
  return context_->exchange().channel(topic);
}

std::map<std::string, model::ChannelId> NodeBase::channels() const {
  return context_->exchange().channels();
}

std::optional<std::int64_t> NodeBase::simulated_now() const {
  if (!clock_->ros_time_is_active()) return std::nullopt;
  return clock_->now().nanoseconds();
}

}  // namespace takt
