// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <future>

#include "takt/exceptions.hpp"
#include "takt/job.hpp"
#include "takt/time.hpp"
#include "takt_core/os/thread.hpp"

namespace takt {

/// The result of spin_until_future_complete(), with the names of rclcpp.
enum class FutureReturnCode {
  SUCCESS,      ///< the future is ready
  INTERRUPTED,  ///< spinning ended before, by cancel() or by the shutdown of the context
  TIMEOUT,      ///< the time limit passed before the future was ready
};

namespace detail {

/// Spins an executor on the calling thread while another thread decides when to cancel it.
struct SpinUntil {
  /// Runs `cancels` on another thread. It must return when `ended` is true at the latest, and its result
  /// says whether it has called executor.cancel(). If that call came after the end of spin(), it is
  /// revoked, so that it does not end the next spin().
  template <typename Executor, typename Cancels>
  static void spin(Executor & executor, std::atomic<bool> & ended, const Cancels & cancels) {
    bool cancelled = false;
    os::Thread watcher({.name = "takt.future"}, [&] { cancelled = cancels(); });
    struct End {
      Executor & executor;
      std::atomic<bool> & ended;
      const bool & cancelled;
      os::Thread & watcher;
      ~End() {
        ended = true;
        watcher.join();
        if (cancelled) executor.forget_cancel();
      }
    } const end{executor, ended, cancelled, watcher};
    executor.spin();
  }
};

}  // namespace detail

/// Spins an executor on the calling thread until the future is ready or `timeout` has passed (negative:
/// no limit). For programs that call services while they set up; in a callback, use the form of
/// Client::async_send_request() that takes a response callback. `future` is a std::future, a
/// std::shared_future or the result of Client::async_send_request(). A cancel() during the call ends
/// this call only, not a later spin(). Allocates; checks the future every 5 ms, on a thread of its own.
/// Throws what the executor's spin() throws, and Error in a callback of an executor that spins.
template <typename Executor, typename Future>
FutureReturnCode spin_until_future_complete(Executor & executor, const Future & future,
                                            Duration timeout = Duration(-1)) {
  using Steady = std::chrono::steady_clock;
  // A thread cannot wait for a future and for another event at the same time, hence the polling.
  constexpr std::chrono::milliseconds look_again{5};
  const Steady::time_point begin = Steady::now();
  const auto is_ready = [&future] {
    return future.wait_for(Duration::zero()) == std::future_status::ready;
  };
  if (is_ready()) return FutureReturnCode::SUCCESS;
  if (current_job() != nullptr && executor.spinning()) {
    throw Error(detail::self_wait_error);
  }

  std::atomic<bool> ended{false};
  std::atomic<bool> late{false};
  detail::SpinUntil::spin(executor, ended, [&] {
    while (!ended && !late && future.wait_for(look_again) != std::future_status::ready) {
      late = timeout >= Duration::zero() && Steady::now() - begin >= timeout;
    }
    if (ended) return false;
    executor.cancel();
    return true;
  });
  if (is_ready()) return FutureReturnCode::SUCCESS;
  return late ? FutureReturnCode::TIMEOUT : FutureReturnCode::INTERRUPTED;
}

}  // namespace takt
