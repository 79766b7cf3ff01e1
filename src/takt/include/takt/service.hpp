// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <rosidl_typesupport_cpp/service_type_support.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "takt/service_base.hpp"

namespace takt {

/// Offers a service of type S. Created by Node::create_service(). Each request releases a job, which
/// runs on the executor and calls the user's callback in one of the forms
///   (const Request &, Response &)
///   (std::shared_ptr<Request>, std::shared_ptr<Response>)
///   (std::shared_ptr<rmw_request_id_t>, std::shared_ptr<Request>, std::shared_ptr<Response>)
///   (std::shared_ptr<rmw_request_id_t>, std::shared_ptr<Request>)
/// With the last form, the response is sent later, by send_response(). Each job allocates its request
/// and response.
template <typename S>
class Service : public ServiceBase {
 public:
  using SharedPtr = std::shared_ptr<Service>;
  using Request = typename S::Request;
  using Response = typename S::Response;

  template <typename F>
  Service(const std::shared_ptr<NodeBase> & node, const std::string & name, F callback,
          const ServiceOptions & options)
      : ServiceBase(node, name, rosidl_typesupport_cpp::get_service_type_support_handle<S>(),
                    options, detail::symbol_of(callback)),
        serve_(make_serve(std::move(callback))) {}

  /// Sends the response to a request; to be called once for each request. Any thread, including
  /// callbacks; blocks as long as the middleware takes to send. A failure is logged.
  void send_response(rmw_request_id_t & id, Response & response) noexcept {
    ServiceBase::send_response(id, &response);
  }

 private:
  using Id = std::shared_ptr<rmw_request_id_t>;
  using SharedRequest = std::shared_ptr<Request>;
  using SharedResponse = std::shared_ptr<Response>;
  /// Returns the response, or nullptr if it is sent later.
  using Serve = std::function<SharedResponse(const Id &, const SharedRequest &)>;

  template <typename F>
  static Serve make_serve(F function) {
    return [function = std::move(function)](const Id & id, const SharedRequest & request) mutable {
      SharedResponse response;
      if constexpr (std::is_invocable_v<F &, const Request &, Response &>) {
        response = std::make_shared<Response>();
        function(std::as_const(*request), *response);
      } else if constexpr (std::is_invocable_v<F &, SharedRequest, SharedResponse>) {
        response = std::make_shared<Response>();
        function(request, response);
      } else if constexpr (std::is_invocable_v<F &, Id, SharedRequest, SharedResponse>) {
        response = std::make_shared<Response>();
        function(id, request, response);
      } else {
        static_assert(std::is_invocable_v<F &, Id, SharedRequest>,
                      "a service's callback takes (const Request &, Response &), or shared "
                      "pointers to them; see takt::Service");
        function(id, request);
      }
      return response;
    };
  }

  Taken take_one() override {
    const auto request = std::make_shared<Request>();
    const auto id = std::make_shared<rmw_request_id_t>();
    const Taken taken = take_request(*id, request.get());
    if (taken != Taken::one) return taken;
    SharedResponse response;
    {
      const detail::TracedCall call(traced());
      response = serve_(id, request);
    }
    if (response != nullptr) send_response(*id, *response);
    return taken;
  }

  Serve serve_;
};

}  // namespace takt
