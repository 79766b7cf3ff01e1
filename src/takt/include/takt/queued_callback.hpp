// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event_callback.h>
#include <rcl/types.h>

#include <atomic>
#include <cstddef>

#include "takt/callback.hpp"

namespace takt {

/// A callback whose jobs each take one thing from a queue of the middleware: a request, a response.
class QueuedCallback : public Callback {
 public:
  using Callback::Callback;

  void execute(const JobInfo & job) final;
  void listen(bool on) final;
  std::size_t waiting() const noexcept final;
  void detach() override;

 protected:
  /// Takes one, if there is one, and runs the user's code.
  virtual void take() = 0;
  /// rcl's function that sets who is told of new ones.
  virtual rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept = 0;

 private:
  std::atomic<bool> listening_ = false;
  std::atomic<std::size_t> waiting_ = 0;
};

}  // namespace takt
