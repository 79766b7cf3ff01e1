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

/// A callback that is released once for each item (request or response) that arrives in a queue of the
/// middleware. Each of its jobs takes one item.
class QueuedCallback : public Callback {
 public:
  /// `qos` is the QoS of the middleware's queue. See Callback for the other arguments.
  QueuedCallback(std::shared_ptr<NodeBase> node, model::Task task, CallbackGroup::SharedPtr group,
                 const QoS & qos, const Demand & demand = {});

  /// Begins or ceases to receive notifications of new items from the middleware. Any thread; takes the
  /// middleware's lock. Throws RclError only if `on` is true.
  void listen(bool on) final;
  void execute(const JobInfo & job) final;
  void detach() override;

 private:
  /// Tries to take one item and calls the user's callback with it.
  virtual Taken take_one() = 0;
  /// Sets the function that rcl calls for new items; nullptr for none.
  virtual rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept = 0;
  void arrived(std::size_t count) noexcept;

  tasks::Arrivals arrivals_;
  std::atomic<bool> listening_ = false;
};

}  // namespace takt
