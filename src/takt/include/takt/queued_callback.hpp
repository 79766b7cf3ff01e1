// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event_callback.h>
#include <rcl/types.h>

#include "takt/callback.hpp"

namespace takt {

/// A callback that is released once for each thing that comes into a queue of the middleware: a
/// request, a response. Its jobs take one each.
class QueuedCallback : public Callback {
 public:
  using Callback::Callback;

  /// Any thread; waits for the middleware's lock. Throws RclError if `on`.
  void listen(bool on) final;
  void detach() override;

 private:
  /// rcl's function that sets who is told of new ones; nullptr for nobody.
  virtual rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept = 0;
};

}  // namespace takt
