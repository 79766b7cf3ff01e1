// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/types.h>

#include <string>

#include "takt_core/tasks/error.hpp"

namespace takt {

/// A call into rcl failed. Carries its return code; the message ends with rcl's own words.
class RclError : public Error {
 public:
  RclError(rcl_ret_t code, const std::string & what);
  rcl_ret_t code() const noexcept { return code_; }

 private:
  rcl_ret_t code_;
};

namespace detail {

/// Throws RclError unless `code` is RCL_RET_OK, and clears rcl's error state. `what` says what was
/// attempted, on what: "cannot create service 'add'".
void check(rcl_ret_t code, const std::string & what);
/// rcl's error state as one line, which is cleared. For calls that must not throw.
std::string take_rcl_error();

}  // namespace detail
}  // namespace takt
