// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that enforces budgets of CPU time.

#include "dispatcher.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

// Time passes between the exhaustion of a budget and the reading of the CPU time used. A job with
// little left must get the CPU in between; this value, in ns, also bounds how late an exhausted
// budget is noticed.
constexpr model::Duration least_until_charged_again = 20'000;

}  // namespace

void Dispatcher::charge(model::Time now) noexcept {
  // A job inside the middleware keeps its priority for a while. The thread that ends the last
  // section, or lets others start meanwhile, calls this function again.
  if (scheduler_.to_charge() == nullptr || defer_starts(now)) return;
  const Worker & worker = *workers_[scheduler_.running() - 1];
  const model::Decision decision =
      scheduler_.charge(worker.cpu_used(), now, least_until_charged_again);
  if (decision.kind == model::Decision::Kind::lower) lower(decision, now);
}

void Dispatcher::lower(const model::Decision & decision, model::Time now) noexcept {
  Worker & worker = *workers_[decision.worker - 1];
  // There is a spare worker for each task whose jobs may be lowered.
  Worker & spare = *spares_.back();
  spares_.pop_back();
  spare.set_level(decision.worker);
  workers_[decision.worker - 1] = &spare;
  worker.lower(decision.job->task);
  if (trace_ != nullptr) trace_lower(*decision.job, now);
  // The worker may just have entered a section on another CPU without having seen that it is
  // lowered.
  run_at(worker, gate_.in_section() && worker.holds_back() ? scheduler_.levels() : 0);
  const model::Level below = scheduler_.running();
  if (below > 0) workers_[below - 1]->preempted(worker.covers_since(), now);
}

bool Dispatcher::finish_lowered(Worker & worker, model::Time now) noexcept {
  spares_.push_back(&worker);
  return scheduler_.finish_lowered(worker.lowered_task(), now);
}

void Dispatcher::hurry(Worker & worker) noexcept {
  const os::Lock lock(mutex_);
  run_at(worker, worker.holds_back() ? scheduler_.levels() : 0);
}

}  // namespace takt::executor
