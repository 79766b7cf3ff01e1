// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/exceptions.hpp"

#include <rcutils/error_handling.h>

#include <algorithm>

namespace takt {

RclError::RclError(rcl_ret_t code, const std::string & what)
    : Error(what + ": " + detail::take_rcl_error()), code_(code) {}

namespace detail {

std::string take_rcl_error() {
  if (!rcutils_error_is_set()) return "no reason given";
  std::string reason = rcutils_get_error_state()->message;
  rcutils_reset_error();
  // rcl's text may have several lines, because it quotes the messages of parsers.
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

void check(rcl_ret_t code, const std::string & what) {
  if (code == RCL_RET_OK) return;
  switch (code) {
    case RCL_RET_TOPIC_NAME_INVALID:
    case RCL_RET_SERVICE_NAME_INVALID:
    case RCL_RET_UNKNOWN_SUBSTITUTION:
    case RCL_RET_NODE_INVALID_NAME:
    case RCL_RET_NODE_INVALID_NAMESPACE:
      throw NameError(what + ": " + take_rcl_error());
    default:
      throw RclError(code, what);
  }
}

}  // namespace detail
}  // namespace takt
