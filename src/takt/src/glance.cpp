// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "glance.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>

#include "takt/exceptions.hpp"
#include "takt/node_base.hpp"

namespace takt::detail {
namespace {

/// Polls a wait set that `fill` fills with entities of these numbers. Returns whether any entity of the middleware is
/// ready; false after the shutdown.
template <typename Fill>
bool poll(const std::shared_ptr<Context> & context, const WaitSetSize & size, std::size_t events,
          const Fill & fill) noexcept {
  if (!context->is_valid()) return false;
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  const auto any = [](const auto * const * entities, std::size_t count) {
    return std::any_of(entities, entities + count,
                       [](const auto * entity) { return entity != nullptr; });
  };
  bool found = false;
  try {
    check(rcl_wait_set_init(&set, size.subscriptions, size.guard_conditions, size.timers,
                            size.clients, size.services, events, context->rcl_context(),
                            rcl_get_default_allocator()),
          "cannot poll for new items");
    fill(set);
    if (rcl_wait(&set, 0) == RCL_RET_OK) {
      found = any(set.subscriptions, set.size_of_subscriptions) ||
              any(set.services, set.size_of_services) || any(set.clients, set.size_of_clients) ||
              any(set.events, set.size_of_events);
    } else {
      take_rcl_error();  // nothing is ready (RCL_RET_TIMEOUT), or the context has been shut down
    }
  } catch (const std::exception &) {
    found = true;  // not known: trying to take an item in vain does no harm
  }
  if (rcl_wait_set_fini(&set) != RCL_RET_OK) take_rcl_error();
  return found;
}

}  // namespace

bool has_waiting_item(Callback & callback) noexcept {
  return poll(callback.node().context(), callback.wait_set_size(), 0,
              [&callback](rcl_wait_set_t & set) { callback.add_to_wait_set(set); });
}

bool has_occurred(rcl_event_t & event, const std::shared_ptr<Context> & context) noexcept {
  return poll(context, {}, 1, [&event](rcl_wait_set_t & set) {
    check(rcl_wait_set_add_event(&set, &event, nullptr), "cannot poll for an event");
  });
}

}  // namespace takt::detail
