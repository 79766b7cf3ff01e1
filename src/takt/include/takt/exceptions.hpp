// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/types.h>

#include <string>

#include "takt_core/tasks/error.hpp"

namespace takt {

/// The failure of a call into rcl. Carries rcl's return code; the message ends with rcl's error text.
class RclError : public Error {
 public:
  RclError(rcl_ret_t code, const std::string & what);
  rcl_ret_t code() const noexcept { return code_; }

 private:
  rcl_ret_t code_;
};

namespace detail {

/// Throws RclError and clears rcl's error state, unless `code` is RCL_RET_OK. `what` names the failed
/// operation and its object, for example "cannot create service 'add'".
void check(rcl_ret_t code, const std::string & what);
/// Returns rcl's error state as one line and clears it. For functions that must not throw.
std::string take_rcl_error();

}  // namespace detail
}  // namespace takt
