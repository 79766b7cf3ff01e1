// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "type_description_service.hpp"

#include <rcl/node.h>
#include <type_description_interfaces/srv/get_type_description.h>

#include <new>
#include <utility>

#include "takt/exceptions.hpp"
#include "takt/service_base.hpp"
#include "takt_core/os/lock.hpp"

namespace takt::detail {
namespace {

using Request = type_description_interfaces__srv__GetTypeDescription_Request;
using Response = type_description_interfaces__srv__GetTypeDescription_Response;

/// Passes requests to rcl, which implements the service with the C message types.
class TypeDescriptionService : public ServiceBase {
 public:
  TypeDescriptionService(const std::shared_ptr<NodeBase> & node,
                         std::shared_ptr<rcl_service_t> service)
      : ServiceBase(node, std::move(service), "get_type_description", {}, symbol_of(*this)) {}

 private:
  Taken take_one() override {
    const std::unique_ptr<Request, void (*)(Request *)> request(
        type_description_interfaces__srv__GetTypeDescription_Request__create(),
        type_description_interfaces__srv__GetTypeDescription_Request__destroy);
    rmw_request_id_t id{};
    if (request == nullptr) throw std::bad_alloc();
    const Taken taken = take_request(id, request.get());
    if (taken != Taken::one) return taken;
    // Not initialised here: rcl does that, and would leak the strings of an initialised response.
    Response response{};
    const std::unique_ptr<Response, void (*)(Response *)> fini(
        &response, type_description_interfaces__srv__GetTypeDescription_Response__fini);
    {
      const TracedCall call(traced());
      const os::Lock lock(node().rcl_mutex());
      rcl_node_type_description_service_handle_request(node().rcl_node(), &id, request.get(),
                                                       &response);
    }
    send_response(id, &response);
    return taken;
  }
};

}  // namespace

std::shared_ptr<Callback> make_type_description_service(const std::shared_ptr<NodeBase> & node) {
  auto service = node->make_entity(
      rcl_get_zero_initialized_service(), rcl_node_type_description_service_init, rcl_service_fini,
      "node '" + std::string(node->name()) + "' cannot serve the descriptions of its types");
  return node->add(std::make_shared<TypeDescriptionService>(node, std::move(service)));
}

}  // namespace takt::detail
