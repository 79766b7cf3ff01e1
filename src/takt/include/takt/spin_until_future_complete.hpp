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

/// Names as in rclcpp.
enum class FutureReturnCode {
  SUCCESS,      ///< the future is ready
  INTERRUPTED,  ///< spinning ended before: cancelled, or shut down
  TIMEOUT,
};

namespace detail {

/// A thread that cancels, and spinning on this one meanwhile.
struct SpinUntil {
  /// `cancels()` returns whether it has cancelled, and when `ended` at the latest. None of its
  /// cancel() is left for the next spin(), whatever else ended this one.
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

/// Spins on the calling thread until the future is ready, at most `timeout` (negative: for ever).
/// For programs that set up by asking others; in a callback use the form of
/// Client::async_send_request that takes a callback. `future` is a std::future, a
/// std::shared_future or what Client::async_send_request returns. A cancel() before it returns ends
/// it, and no spin() after it. Throws what the executor's spin() throws, Error in a callback of an
/// executor that spins.
template <typename Executor, typename Future>
FutureReturnCode spin_until_future_complete(Executor & executor, const Future & future,
                                            Duration timeout = Duration(-1)) {
  using Steady = std::chrono::steady_clock;
  // Nobody can tell of a future that gets ready and of another event at once.
  constexpr std::chrono::milliseconds look_again{5};
  const Steady::time_point begin = Steady::now();
  const auto is_ready = [&future] {
    return future.wait_for(Duration::zero()) == std::future_status::ready;
  };
  if (is_ready()) return FutureReturnCode::SUCCESS;
  if (current_job() != nullptr && executor.spinning()) {
    throw Error(detail::waits_for_itself);
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
