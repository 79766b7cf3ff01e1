// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takes.hpp"

#include <rcl/error_handling.h>
#include <rcl/subscription.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <rclcpp/exceptions.hpp>
#include <rclcpp/logging.hpp>

#include "takt_core/executor/processor.hpp"

namespace takt::rclcpp {
namespace {

void log_error(const char * of, const std::string & what) {
  RCLCPP_ERROR(::rclcpp::get_logger("rclcpp"), "cannot take from '%s': %s", of, what.c_str());
}

/// Calls `take` in a middleware section. `nothing` is the result if it takes no item.
template <typename TakeT>
Taken attempt(executor::Entity & of, Taken nothing, const TakeT & take) {
  try {
    const executor::Processor::Section section(of);
    return take() ? Taken::one : nothing;
  } catch (const ::rclcpp::exceptions::RCLErrorBase & error) {  // all kinds of rcl errors
    log_error(of.name()->c_str(), error.formatted_message);
    return Taken::failed;
  }
}

/// A message that is returned to the subscription at the end of the scope, also if the callback throws.
template <typename MessageT, typename GiveBackT>
class Borrowed {
 public:
  Borrowed(MessageT borrowed, GiveBackT give_back)
      : message(std::move(borrowed)), give_back_(std::move(give_back)) {}
  ~Borrowed() { give_back_(message); }
  Borrowed(const Borrowed &) = delete;
  Borrowed & operator=(const Borrowed &) = delete;

  MessageT message;

 private:
  const GiveBackT give_back_;
};

Taken take_plain(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                 ::rclcpp::MessageInfo & info) {
  Borrowed borrowed(subscription.create_message(),
                    [&subscription](auto & message) { subscription.return_message(message); });
  auto & message = borrowed.message;
  Taken taken = attempt(used, Taken::none,
                        [&] { return subscription.take_type_erased(message.get(), info); });
  // rclcpp reports a copy of a message from inside the process as not taken, too, but then the sender is
  // filled in.
  const rmw_gid_t & sender = info.get_rmw_message_info().publisher_gid;
  if (taken == Taken::none && sender.implementation_identifier != nullptr) taken = Taken::other;
  if (taken == Taken::one) subscription.handle_message(message, info);
  return taken;
}

Taken take_serialized(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                      ::rclcpp::MessageInfo & info) {
  Borrowed borrowed(subscription.create_serialized_message(), [&subscription](auto & message) {
    subscription.return_serialized_message(message);
  });
  auto & message = borrowed.message;
  const Taken taken =
      attempt(used, Taken::none, [&] { return subscription.take_serialized(*message, info); });
  if (taken == Taken::one) subscription.handle_serialized_message(message, info);
  return taken;
}

Taken take_loaned(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                  ::rclcpp::MessageInfo & info) {
  const auto handle = subscription.get_subscription_handle();
  const char * topic = subscription.get_topic_name();
  void * message = nullptr;
  const Taken taken = attempt(used, Taken::none, [&] {
    const rcl_ret_t code =
        rcl_take_loaned_message(handle.get(), &message, &info.get_rmw_message_info(), nullptr);
    if (code == RCL_RET_OK) return true;
    if (code != RCL_RET_SUBSCRIPTION_TAKE_FAILED) ::rclcpp::exceptions::throw_from_rcl_error(code);
    rcl_reset_error();
    return false;
  });
  const Borrowed borrowed(message, [&](void * loan) {
    if (loan == nullptr) return;
    if (rcl_return_loaned_message_from_subscription(handle.get(), loan) == RCL_RET_OK) return;
    log_error(topic, std::string("the loan cannot be returned: ") + rcl_get_error_string().str);
    rcl_reset_error();
  });
  if (taken == Taken::one) subscription.handle_loaned_message(message, info);
  return taken;
}

}  // namespace

Taken take_message(::rclcpp::SubscriptionBase & subscription, executor::Entity & used,
                   const std::function<void(std::int64_t)> & published) {
  ::rclcpp::MessageInfo info;
  info.get_rmw_message_info() = rmw_get_zero_initialized_message_info();
  const auto take = [&] {
    switch (subscription.get_delivered_message_kind()) {
      case ::rclcpp::DeliveredMessageKind::ROS_MESSAGE:
        return subscription.can_loan_messages() ? take_loaned(subscription, used, info)
                                                : take_plain(subscription, used, info);
      case ::rclcpp::DeliveredMessageKind::SERIALIZED_MESSAGE:
        return take_serialized(subscription, used, info);
      default:
        throw std::runtime_error("'" + std::string(subscription.get_topic_name()) +
                                 "': an executor cannot deliver messages of this kind");
    }
  };
  const Taken taken = take();
  if (taken == Taken::one) published(info.get_rmw_message_info().source_timestamp);
  return taken;
}

Taken take_inside(::rclcpp::Waitable & waitable) {
  const auto data = waitable.take_data();
  if (data == nullptr) return Taken::none;
  waitable.execute(data);
  return Taken::one;
}

Taken take_request(::rclcpp::ServiceBase & service, executor::Entity & used) {
  const auto header = service.create_request_header();
  std::shared_ptr<void> request = service.create_request();
  // There is no request either if the item is the notice that a client has been destroyed.
  const Taken taken = attempt(used, Taken::unknown, [&] {
    return service.take_type_erased_request(request.get(), *header);
  });
  if (taken == Taken::one) service.handle_request(header, request);
  return taken;
}

Taken take_response(::rclcpp::ClientBase & client, executor::Entity & used) {
  const auto header = client.create_request_header();
  std::shared_ptr<void> response = client.create_response();
  // If nothing is taken, there may have been a response to another client of the service.
  const Taken taken = attempt(used, Taken::unknown, [&] {
    return client.take_type_erased_response(response.get(), *header);
  });
  if (taken == Taken::one) client.handle_response(header, response);
  return taken;
}

}  // namespace takt::rclcpp
