// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/queued_callback.hpp"

#include "takt/exceptions.hpp"

namespace takt {

void QueuedCallback::listen(bool on) {
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<QueuedCallback *>(const_cast<void *>(self))->released(count);
  };
  const rcl_ret_t code = set_on_new(on ? +arrived : nullptr, on ? this : nullptr);
  if (on) {
    detail::check(code, "cannot listen to '" + id() + "'");
  } else if (code != RCL_RET_OK) {
    detail::take_rcl_error();
  }
}

void QueuedCallback::detach() {
  Callback::detach();
  listen(false);
}

}  // namespace takt
