// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/current_job.hpp"

namespace takt {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local const executor::JobInfo * stock_job =
    nullptr;

}  // namespace

const executor::JobInfo * current_job() noexcept {
  return stock_job != nullptr ? stock_job : executor::Processor::current_job();
}

namespace detail {

CurrentJob::CurrentJob(const executor::JobInfo & job) noexcept : previous_(stock_job) {
  stock_job = &job;
}
CurrentJob::~CurrentJob() {
  stock_job = previous_;
}

}  // namespace detail
}  // namespace takt
