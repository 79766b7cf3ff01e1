// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/allocator.h>
#include <rcl/arguments.h>
#include <rcl/node.h>

#include <cstdint>
#include <memory>
#include <string>

namespace takt::detail {

/// Configures rcl's logging with the arguments of the first context and starts the thread `takt.log`.
/// Returns a token; when the last token is destroyed, deferred messages are written and logging ends.
/// Throws takt::Error. Must not be called in a callback.
std::shared_ptr<void> start_logging(const rcl_arguments_t & arguments,
                                    const rcl_allocator_t & allocator);

// rcl keeps the publishers of /rosout in a map that is not thread-safe. The functions below, which are
// the only ones that change it, exclude each other and the writing of messages.

/// Creates the node's publisher of /rosout if the ROS arguments and the node's options enable it.
void rosout_add(rcl_node_t & node);
void rosout_remove(rcl_node_t & node) noexcept;
/// Destroys the publishers of /rosout of all nodes of the context.
void rosout_remove_all(const rcl_context_t & context) noexcept;
/// Makes the messages of the logger `parent.child` reach /rosout by the publisher of `parent`, as long as
/// the returned token exists. Returns nullptr if `parent` has no publisher of /rosout.
std::shared_ptr<void> rosout_add_child(const std::string & parent, const std::string & child);

/// A counter that is incremented with every change of a logger's level. Any thread.
std::uint64_t level_generation() noexcept;
/// Set the level of a logger, and return the level in effect for it. set_level() throws takt::Error.
void set_level(const std::string & logger, int severity);
int effective_level(const std::string & logger) noexcept;

}  // namespace takt::detail
