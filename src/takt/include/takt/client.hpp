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

/// A future and the number by which its request can be removed.
template <typename Future>
struct FutureAndRequestId {
  Future future;
  std::int64_t request_id = 0;

  auto get() { return future.get(); }
  bool valid() const noexcept { return future.valid(); }
  void wait() const { future.wait(); }
  template <typename Rep, typename Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period> & timeout) const {
    return future.wait_for(timeout);
  }
};

/// Sends requests of type S and receives the responses, each in a job of its own. Made by
/// Node::create_client. Thread-safe.
///
/// A callback must not wait for a future: the response is received by another job of the same
/// processor. Use the form with a callback there.
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

  /// The future is ready when the response has been received, and breaks (std::future_error) when
  /// the request is removed or the client ends. Throws RclError. Any thread, callbacks too, while
  /// spinning or not; allocates, and holds the client's lock (priority inheritance) as long as the
  /// middleware takes to send.
  FutureAndRequestId<Future> async_send_request(const SharedRequest & request) {
    std::promise<SharedResponse> promise;
    Future future = promise.get_future();
    return {std::move(future), send(*request, {std::move(promise), nullptr, {}})};
  }
  /// `callback` is called by the job that receives the response, with a future that is ready, and
  /// destroyed then, or uncalled with its request; it may use the client.
  FutureAndRequestId<SharedFuture> async_send_request(const SharedRequest & request,
                                                      ResponseCallback callback) {
    std::promise<SharedResponse> promise;
    SharedFuture future = promise.get_future().share();
    return {future, send(*request, {std::move(promise), std::move(callback), future})};
  }

  // Any thread, callbacks too; what is forgotten is destroyed by the caller.

  /// Forgets a request whose response is no longer wanted; false if there is none of this number.
  /// Whoever gives up waiting must call it, or the request is kept for ever.
  bool remove_pending_request(std::int64_t request_id) { return extract(request_id).has_value(); }
  template <typename AnyFuture>
  bool remove_pending_request(const FutureAndRequestId<AnyFuture> & future) {
    return remove_pending_request(future.request_id);
  }
  /// Forgets all; returns how many.
  std::size_t prune_pending_requests() {
    Pending gone;
    const os::Lock lock(mutex_);
    gone.swap(pending_);
    return gone.size();
  }
  /// Forgets those sent before an instant; their numbers are added to `pruned` if it is given,
  /// which allocates. Returns how many.
  std::size_t prune_requests_older_than(std::chrono::steady_clock::time_point instant,
                                        std::vector<std::int64_t> * pruned = nullptr) {
    Pending gone;  // destroyed without the lock: what callbacks keep may come back here
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
  struct Waiting {
    std::promise<SharedResponse> promise;
    ResponseCallback callback;
    SharedFuture future;
    std::chrono::steady_clock::time_point sent = std::chrono::steady_clock::now();
  };
  using Pending = std::map<std::int64_t, Waiting>;

  std::int64_t send(const Request & request, Waiting waiting) {
    // Held while sending: the response may be here before the number is known.
    const os::Lock lock(mutex_);
    const std::int64_t number = send_request(&request);
    pending_.emplace(number, std::move(waiting));
    return number;
  }

  std::optional<Waiting> extract(std::int64_t number) {
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
    std::optional<Waiting> waiting = extract(number);
    if (!waiting) return taken;  // removed meanwhile
    waiting->promise.set_value(std::move(response));
    if (waiting->callback) waiting->callback(std::move(waiting->future));
    return taken;
  }

  os::PiMutex mutex_{os::LockRank::client};
  Pending pending_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt
