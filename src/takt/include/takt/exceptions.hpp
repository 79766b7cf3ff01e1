// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/types.h>

#include <stdexcept>
#include <string>

namespace takt {

/// What setting-up functions of takt throw: one line that says what is wrong, where and what to do.
/// The loop does not throw. Making one allocates; no call that may throw is for a signal handler.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call into rcl failed. Carries its return code; the message ends with rcl's own words.
class RclError : public Error {
 public:
  RclError(rcl_ret_t code, const std::string & what);
  rcl_ret_t code() const noexcept { return code_; }

 private:
  rcl_ret_t code_;
};

/// A topic, service, node or namespace name is not valid.
class NameError : public Error {
 public:
  using Error::Error;
};

namespace detail {

/// Throws RclError unless `code` is RCL_RET_OK, and clears rcl's error state. `what` says what was
/// attempted, on what: "cannot create service 'add'".
void check(rcl_ret_t code, const std::string & what);
/// rcl's error state as one line, which is cleared. For calls that must not throw.
std::string take_rcl_error();

}  // namespace detail
}  // namespace takt
