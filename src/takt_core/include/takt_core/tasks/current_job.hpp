// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/processor.hpp"

namespace takt {

/// The job that the calling thread is running, under any executor of takt; nullptr outside of
/// callbacks. Valid until the callback returns. Neither blocks nor allocates.
const executor::JobInfo * current_job() noexcept;

namespace detail {

/// The error text for spin_until_future_complete() in a callback of an executor that is spinning.
inline constexpr const char * self_wait_error =
    "spin_until_future_complete() in a callback would wait for what its own executor is to run "
    "next: "
    "give the request a callback, async_send_request(request, callback), and go on there";

/// Makes `job` the current job of the calling thread; for executors that do not use a Processor.
class CurrentJob {
 public:
  explicit CurrentJob(const executor::JobInfo & job) noexcept;
  ~CurrentJob();
  CurrentJob(const CurrentJob &) = delete;
  CurrentJob & operator=(const CurrentJob &) = delete;

 private:
  const executor::JobInfo * previous_;
};

}  // namespace detail
}  // namespace takt
