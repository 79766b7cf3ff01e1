// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <future>

#include "takt/time.hpp"
#include "takt_core/os/thread.hpp"

namespace takt {

/// Names as in rclcpp.
enum class FutureReturnCode {
  SUCCESS,      ///< the future is ready
  INTERRUPTED,  ///< spinning ended before: cancelled, or shut down
  TIMEOUT,
};

/// Spins on the calling thread until the future is ready, at most `timeout` (negative: for ever).
/// For programs that set up by asking others; in a callback use the form of
/// Client::async_send_request that takes a callback. `future` is a std::future, a
/// std::shared_future or what Client::async_send_request returns. Throws what the executor's spin()
/// throws.
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

  std::atomic<bool> ended{false};
  std::atomic<bool> late{false};
  os::Thread watcher({.name = "takt.future"}, [&] {
    while (!ended && !late && future.wait_for(look_again) != std::future_status::ready) {
      late = timeout >= Duration::zero() && Steady::now() - begin >= timeout;
    }
    if (!ended) executor.cancel();
  });
  try {
    executor.spin();
  } catch (...) {
    ended = true;
    throw;
  }
  ended = true;
  watcher.join();
  if (is_ready()) return FutureReturnCode::SUCCESS;
  return late ? FutureReturnCode::TIMEOUT : FutureReturnCode::INTERRUPTED;
}

}  // namespace takt
