// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "event_news.hpp"

#include <rclcpp/event_handler.hpp>

#include <functional>
#include <memory>

#include "takt_core/tasks/event_announcements.hpp"
#include "takt_core/tasks/event_news.hpp"

namespace takt::rclcpp {
namespace {

template <typename HandleT, typename Info>
EventStatus if_it_tells(const ::rclcpp::Waitable & waitable) noexcept {
  using Handler = ::rclcpp::EventHandler<std::function<void(Info &)>, std::shared_ptr<HandleT>>;
  if (dynamic_cast<const Handler *>(&waitable) == nullptr) return {};
  return {
      [](const void * taken) { return tasks::reports_change(*static_cast<const Info *>(taken)); },
      [](const void * taken) { return tasks::announced_total(*static_cast<const Info *>(taken)); }};
}

template <typename HandleT, typename... Infos>
EventStatus first_of(const ::rclcpp::Waitable & waitable) noexcept {
  EventStatus found;
  static_cast<void>(
      ((found = if_it_tells<HandleT, Infos>(waitable), found.is_new != nullptr) || ... || false));
  return found;
}

}  // namespace

EventStatus status_of(const ::rclcpp::Waitable & waitable) noexcept {
  if (dynamic_cast<const ::rclcpp::EventHandlerBase *>(&waitable) == nullptr) return {};
  const EventStatus of_publisher =
      first_of<rcl_publisher_t, ::rclcpp::QOSDeadlineOfferedInfo, ::rclcpp::QOSLivelinessLostInfo,
               ::rclcpp::QOSOfferedIncompatibleQoSInfo, ::rclcpp::IncompatibleTypeInfo,
               ::rclcpp::MatchedInfo>(waitable);
  if (of_publisher.is_new != nullptr) return of_publisher;
  return first_of<rcl_subscription_t, ::rclcpp::QOSDeadlineRequestedInfo,
                  ::rclcpp::QOSLivelinessChangedInfo, ::rclcpp::QOSRequestedIncompatibleQoSInfo,
                  ::rclcpp::QOSMessageLostInfo, ::rclcpp::IncompatibleTypeInfo,
                  ::rclcpp::MatchedInfo>(waitable);
}

}  // namespace takt::rclcpp
