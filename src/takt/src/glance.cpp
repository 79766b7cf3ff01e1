// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "glance.hpp"

#include <algorithm>
#include <exception>

#include "takt/exceptions.hpp"
#include "takt/node_base.hpp"

namespace takt::detail {
namespace {

/// Polls the wait set. Returns whether any entity of the middleware is ready.
bool look(rcl_wait_set_t & set, Callback & callback) {
  callback.add_to_wait_set(set);
  if (rcl_wait(&set, 0) != RCL_RET_OK) {
    take_rcl_error();  // nothing is ready (RCL_RET_TIMEOUT), or the context has been shut down
    return false;
  }
  const auto any = [](const auto * const * entities, std::size_t count) {
    return std::any_of(entities, entities + count,
                       [](const auto * entity) { return entity != nullptr; });
  };
  return any(set.subscriptions, set.size_of_subscriptions) ||
         any(set.services, set.size_of_services) || any(set.clients, set.size_of_clients);
}

}  // namespace

bool lies_there(Callback & callback) noexcept {
  const std::shared_ptr<Context> context = callback.node().context();
  if (!context->is_valid()) return false;
  const WaitSetSize size = callback.wait_set_size();
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  bool found = false;
  try {
    check(rcl_wait_set_init(&set, size.subscriptions, size.guard_conditions, size.timers,
                            size.clients, size.services, 0, context->rcl_context(),
                            rcl_get_default_allocator()),
          "cannot poll for new items");
    found = look(set, callback);
  } catch (const std::exception &) {
    found = true;  // not known: trying to take an item in vain does no harm
  }
  if (rcl_wait_set_fini(&set) != RCL_RET_OK) take_rcl_error();
  return found;
}

bool has_occurred(rcl_event_t & event, const std::shared_ptr<Context> & context) noexcept {
  if (!context->is_valid()) return false;
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  bool found = rcl_wait_set_init(&set, 0, 0, 0, 0, 0, 1, context->rcl_context(),
                                 rcl_get_default_allocator()) == RCL_RET_OK &&
               rcl_wait_set_add_event(&set, &event, nullptr) == RCL_RET_OK &&
               rcl_wait(&set, 0) == RCL_RET_OK;
  found = found && set.events[0] != nullptr;
  if (!found) take_rcl_error();
  if (rcl_wait_set_fini(&set) != RCL_RET_OK) take_rcl_error();
  return found;
}

}  // namespace takt::detail
