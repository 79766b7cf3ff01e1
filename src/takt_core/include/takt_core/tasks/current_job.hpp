// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/processor.hpp"

namespace takt {

/// The job the calling thread runs, under every executor of takt; nullptr outside of callbacks.
/// Valid until the callback returns. Never blocks or allocates.
const executor::JobInfo * current_job() noexcept;

namespace detail {

/// Why spin_until_future_complete() is refused in a callback of an executor that spins, and what to do.
inline constexpr const char * waits_for_itself =
    "spin_until_future_complete() in a callback would wait for what its own executor is to run "
    "next: "
    "give the request a callback, async_send_request(request, callback), and go on there";

/// Makes `job` the current one of this thread; for executors that do not run on a Processor.
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
