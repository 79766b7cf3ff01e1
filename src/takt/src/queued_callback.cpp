// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/queued_callback.hpp"

#include <algorithm>

#include "glance.hpp"
#include "takt/exceptions.hpp"
#include "takt/node_base.hpp"

namespace takt {

QueuedCallback::QueuedCallback(std::shared_ptr<NodeBase> node, model::Task task,
                               CallbackGroup::SharedPtr group, const QoS & qos,
                               const Demand & demand)
    : Callback(std::move(node), std::move(task), std::move(group), demand),
      arrivals_(qos.history() == History::keep_all ? tasks::Arrivals::unbounded
                                                   : qos.queue_depth()) {}

void QueuedCallback::arrived(std::size_t count) noexcept {
  arrivals_.announce(count);
  released(std::max<std::size_t>(count, 1));
}

void QueuedCallback::execute(const JobInfo &) {
  struct More {
    QueuedCallback & self;
    ~More() {
      if (self.listening_.load(std::memory_order_relaxed) &&
          self.arrivals_.claim_job(self.task_.queue)) {
        self.released();
      }
    }
  } const more{*this};
  // A wait set does not report the number of items, but reports again those that are left.
  if (!listening_.load(std::memory_order_relaxed)) arrivals_.look();
  arrivals_.take(1, [this] { return take_one(); });
}

void QueuedCallback::listen(bool on) {
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<QueuedCallback *>(const_cast<void *>(self))->arrived(count);
  };
  listening_.store(on, std::memory_order_relaxed);
  const rcl_ret_t code = set_on_new(on ? +arrived : nullptr, on ? this : nullptr);
  if (!on) {
    if (code != RCL_RET_OK) detail::take_rcl_error();
    return;
  }
  detail::check(code, "cannot receive notifications of '" + id() + "'");
  if (detail::has_waiting_item(*this)) this->arrived(0);
}

void QueuedCallback::detach() {
  Callback::detach();
  listen(false);
}

}  // namespace takt
