// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event_callback.h>
#include <rcl/types.h>

#include <atomic>
#include <memory>
#include <utility>

#include "takt/callback.hpp"
#include "takt/qos.hpp"
#include "takt_core/tasks/arrivals.hpp"

namespace takt {

using tasks::Taken;

/// A callback that is released once for each thing that comes into a queue of the middleware: a
/// request, a response. Its jobs take one each.
class QueuedCallback : public Callback {
 public:
  /// `qos`: of the queue.
  QueuedCallback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
                 const QoS & qos, const Demand & demand = {});

  /// Any thread; waits for the middleware's lock. Throws RclError if `on`.
  void listen(bool on) final;
  void execute(const JobInfo & job) final;
  void detach() override;

 private:
  /// One attempt to take what came, and what the user's callback does with it.
  virtual Taken take_one() = 0;
  /// rcl's function that sets who is told of new ones; nullptr for nobody.
  virtual rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept = 0;
  void arrived(std::size_t count) noexcept;

  tasks::Arrivals arrivals_;
  std::atomic<bool> listening_ = false;
};

}  // namespace takt
