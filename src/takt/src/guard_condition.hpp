// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/guard_condition.h>

#include <memory>
#include <string>

#include "takt/context.hpp"
#include "takt/exceptions.hpp"

namespace takt::detail {

/// Creates a guard condition that keeps its context alive. Throws RclError.
inline std::shared_ptr<rcl_guard_condition_t> make_guard_condition(
    const std::shared_ptr<Context> & context) {
  auto made = std::make_unique<rcl_guard_condition_t>(rcl_get_zero_initialized_guard_condition());
  check(rcl_guard_condition_init(made.get(), context->rcl_context(),
                                 rcl_guard_condition_get_default_options()),
        "cannot make a guard condition");
  return {made.release(), [context](rcl_guard_condition_t * guard) {
            if (rcl_guard_condition_fini(guard) != RCL_RET_OK) take_rcl_error();
            delete guard;
          }};
}

/// Triggers a guard condition. Any thread; an error is ignored.
inline void trigger(rcl_guard_condition_t & guard) noexcept {
  if (rcl_trigger_guard_condition(&guard) != RCL_RET_OK) take_rcl_error();
}

}  // namespace takt::detail
