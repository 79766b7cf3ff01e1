// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/allocator.h>
#include <rcl/arguments.h>
#include <rcl/node.h>

#include <cstdint>
#include <memory>
#include <string>

namespace takt::detail {

/// Configures rcl's logging with the arguments of the first context and starts `takt.log`. As long
/// as one of the returned tokens lives, logging runs; with the last one it is flushed and ended.
/// Throws takt::Error. Not for callbacks.
std::shared_ptr<void> start_logging(const rcl_arguments_t & arguments,
                                    const rcl_allocator_t & allocator);

// rcl keeps the publishers of /rosout in a map of its own that is not thread-safe: every change of
// it goes through these, which exclude each other and the writing of messages.

/// Makes the publisher of /rosout for the node, if the arguments and the node's options want it.
void rosout_add(rcl_node_t & node);
void rosout_remove(rcl_node_t & node) noexcept;
/// Of all nodes of the context.
void rosout_remove_all(const rcl_context_t & context) noexcept;
/// While the token lives, messages of the logger `parent.child` reach /rosout as those of `parent`
/// do; empty if those of `parent` do not.
std::shared_ptr<void> rosout_add_child(const std::string & parent, const std::string & child);

/// Counts up with every change of a logger's level.
std::uint64_t level_generation() noexcept;
/// Throws takt::Error.
void set_level(const std::string & logger, int severity);
int effective_level(const std::string & logger) noexcept;

}  // namespace takt::detail
