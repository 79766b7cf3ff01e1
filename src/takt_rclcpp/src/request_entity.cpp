// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "request_entity.hpp"

#include <algorithm>
#include <utility>

namespace takt::rclcpp {
namespace {

std::size_t depth_of(const ::rclcpp::QoS & qos) {
  const bool keeps_all = qos.history() == ::rclcpp::HistoryPolicy::KeepAll;
  return keeps_all ? tasks::Arrivals::unbounded : std::max<std::size_t>(qos.depth(), 1);
}

}  // namespace

template <typename OfT>
RequestEntity<OfT>::RequestEntity(const std::shared_ptr<NodeView> & node,
                                  const std::shared_ptr<Owner> & owner,
                                  CallbackGroup::SharedPtr group, const TaskOptions & options,
                                  std::shared_ptr<EntityWatcher> watcher)
    : Entity(node,
             make_queued_task(node->short_name(owner->get_service_name()), OfT::kind, options),
             std::move(group), options, std::move(watcher)),
      owner_(owner),
      used_(owner->get_service_name()),
      arrivals_(depth_of(OfT::qos_of(*owner))),
      listener_(OfT::handle_of(*owner)) {}

template <typename OfT>
void RequestEntity<OfT>::continue_from(const Entity & old) {
  arrivals_.continue_from(static_cast<const RequestEntity &>(old).arrivals_);
}

template <typename OfT>
void RequestEntity<OfT>::run_job(const executor::JobInfo &) {
  const auto owner = owner_.lock();
  if (owner == nullptr) return watcher_->look_again();
  arrivals_.take(1, [&] { return OfT::take(*owner, used_); });
}

template <typename OfT>
void RequestEntity<OfT>::look() {
  const auto owner = owner_.lock();
  if (owner == nullptr || !watcher_->item_poll.has_item(*OfT::handle_of(*owner))) return;
  arrivals_.look();
  release(1);
}

template <typename OfT>
void RequestEntity<OfT>::start_listening() {
  const auto arrived = [](void * context, std::size_t count) {
    auto & self = *static_cast<RequestEntity *>(context);
    self.arrivals_.announce(count);
    self.release(std::max<std::size_t>(count, 1));
  };
  listener_.start(arrived, this, id());
}

template <typename OfT>
void RequestEntity<OfT>::stop_listening() noexcept {
  listener_.stop();
}

template <typename OfT>
void RequestEntity<OfT>::give_up_listening() noexcept {
  listener_.give_up();
}

template class RequestEntity<Requests>;
template class RequestEntity<Responses>;

}  // namespace takt::rclcpp
