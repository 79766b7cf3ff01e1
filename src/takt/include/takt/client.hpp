// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <rosidl_typesupport_cpp/service_type_support.hpp>
#include <string>
#include <utility>
#include <vector>

#include "takt/client_base.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt {

/// The future of a response, with the number of its request, by which the request can be removed.
template <typename Future>
struct FutureAndRequestId {
  Future future;
  std::int64_t request_id = 0;

  // The functions of std::future.
  auto get() { return future.get(); }
  bool valid() const noexcept { return future.valid(); }
  void wait() const { future.wait(); }
  template <typename Rep, typename Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period> & timeout) const {
    return future.wait_for(timeout);
  }
};

/// Sends requests of service type S. Each response is received by one job of the client, which runs
/// on the executor. Created by Node::create_client(). Thread-safe.
///
/// A callback must not wait for a future: the response may have to be received by a job on the same
/// processor, which cannot start before the waiting callback has returned. In a callback, use the
/// form of async_send_request() that takes a response callback.
template <typename S>
class Client : public ClientBase {
 public:
  using SharedPtr = std::shared_ptr<Client>;
  using Request = typename S::Request;
  using Response = typename S::Response;
  using SharedRequest = std::shared_ptr<Request>;
  using SharedResponse = std::shared_ptr<Response>;
  using Future = std::future<SharedResponse>;
  using SharedFuture = std::shared_future<SharedResponse>;
  using ResponseCallback = std::function<void(SharedFuture)>;

  Client(const std::shared_ptr<NodeBase> & node, const std::string & name,
         const ClientOptions & options)
      : ClientBase(node, name, rosidl_typesupport_cpp::get_service_type_support_handle<S>(),
                   options) {}

  /// Sends a request. The future becomes ready when the response has been received; it throws
  /// std::future_error (broken promise) if the request is removed or the client is destroyed before.
  /// Any thread, including callbacks, whether or not an executor spins. Allocates, and holds the
  /// client's mutex (priority inheritance) while the middleware sends. Throws RclError.
  FutureAndRequestId<Future> async_send_request(const SharedRequest & request) {
    std::promise<SharedResponse> promise;
    Future future = promise.get_future();
    return {std::move(future), send(*request, {std::move(promise), nullptr, {}})};
  }
  /// As above. In addition, the job that receives the response calls `callback` with the future, which
  /// is ready then. `callback` may use the client. It is destroyed after the call, or without having
  /// been called when the request is removed.
  FutureAndRequestId<SharedFuture> async_send_request(const SharedRequest & request,
                                                      ResponseCallback callback) {
    std::promise<SharedResponse> promise;
    SharedFuture future = promise.get_future().share();
    return {future, send(*request, {std::move(promise), std::move(callback), future})};
  }

  // The functions below may be called from any thread, including callbacks, and take the client's
  // mutex (priority inheritance). The promises and response callbacks of removed requests are
  // destroyed on the calling thread.

  /// Removes a pending request, so that its response will be ignored. Returns false if no request of
  /// this number is pending. A caller that stops waiting for a response must call this function:
  /// otherwise the request stays in memory until the client is destroyed.
  bool remove_pending_request(std::int64_t request_id) { return extract(request_id).has_value(); }
  template <typename AnyFuture>
  bool remove_pending_request(const FutureAndRequestId<AnyFuture> & future) {
    return remove_pending_request(future.request_id);
  }
  /// Removes all pending requests and returns their number.
  std::size_t prune_pending_requests() {
    Pending gone;
    const os::Lock lock(mutex_);
    gone.swap(pending_);
    return gone.size();
  }
  /// Removes the requests sent before `instant` and returns their number. If `pruned` is not nullptr,
  /// the numbers of the removed requests are appended to it, which allocates.
  std::size_t prune_requests_older_than(std::chrono::steady_clock::time_point instant,
                                        std::vector<std::int64_t> * pruned = nullptr) {
    // Destroyed after the lock is released: what a response callback captured may call this client.
    Pending gone;
    const os::Lock lock(mutex_);
    for (auto entry = pending_.begin(); entry != pending_.end();) {
      const auto next = std::next(entry);
      if (entry->second.sent < instant) {
        if (pruned != nullptr) pruned->push_back(entry->first);
        gone.insert(pending_.extract(entry));
      }
      entry = next;
    }
    return gone.size();
  }

 private:
  struct PendingRequest {
    std::promise<SharedResponse> promise;
    ResponseCallback callback;
    SharedFuture future;
    std::chrono::steady_clock::time_point sent = std::chrono::steady_clock::now();
  };
  using Pending = std::map<std::int64_t, PendingRequest>;

  std::int64_t send(const Request & request, PendingRequest waiting) {
    // Held while sending, because the response may arrive before the request's number is known.
    const os::Lock lock(mutex_);
    const std::int64_t number = send_request(&request);
    pending_.emplace(number, std::move(waiting));
    return number;
  }

  std::optional<PendingRequest> extract(std::int64_t number) {
    const os::Lock lock(mutex_);
    auto node = pending_.extract(number);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }

  Taken take_one() override {
    auto response = std::make_shared<Response>();
    std::int64_t number = 0;
    const Taken taken = take_response(number, response.get());
    if (taken != Taken::one) return taken;
    std::optional<PendingRequest> waiting = extract(number);
    if (!waiting) return taken;  // the request has been removed in the meantime
    waiting->promise.set_value(std::move(response));
    if (waiting->callback) waiting->callback(std::move(waiting->future));
    return taken;
  }

  os::PiMutex mutex_{os::LockRank::client};
  Pending pending_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt
