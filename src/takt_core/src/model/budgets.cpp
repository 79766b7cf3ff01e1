// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that enforces budgets of CPU time.
#include <algorithm>
#include <vector>

#include "scheduler_state.hpp"

namespace takt::model {

const Job * Scheduler::to_charge() const noexcept {
  const TaskId id = state_->budgets.ended();
  return id == none ? nullptr : &state_->records[id].jobs.front();
}

Decision Scheduler::charge(Duration used, Time now, Duration least) noexcept {
  return state_->charge(used, now, least);
}

Decision Scheduler::State::charge(Duration used, Time now, Duration least) noexcept {
  const TaskId id = budgets.ended();
  if (id == none) return {};
  const Duration budget = budgets.budget(id);
  if (used < budget) {
    budgets.extend(std::max(budget - used, least), now);
    return {};
  }
  budgets.end(id);
  TaskRecord & record = records[id];
  const Job & job = record.jobs.front();
  const bool lower = plan->task(id).on_budget == OnBudget::background;
  exhaust(job, used, now, lower);
  if (!lower) return {};
  const Level worker = started.worker();
  started.remove(worker);
  record.lowered = true;
  lowered.push_back(id);
  run_top(now);
  return {.kind = Decision::Kind::lower, .job = &job, .worker = worker};
}

void Scheduler::State::exhaust(const Job & job, Duration used, Time now, bool lower) noexcept {
  TaskRecord & record = records[job.task];
  ++record.exhausted;
  ++loads.exhausted;
  if (lower) {
    ++record.times_lowered;
    ++loads.lowered;
  }
  exhaustions.push({job, now, used, lower});
}

void Scheduler::State::run_top(Time now) noexcept {
  if (started.empty()) return;
  const TaskId top = started.top().task;
  if (budgets.running() == top) return;
  budgets.pause(now);
  budgets.resume(top, now);
}

bool Scheduler::finish_lowered(TaskId task, Time now) noexcept {
  return state_->finish_lowered(task, now);
}

bool Scheduler::State::finish_lowered(TaskId id, Time now) noexcept {
  if (id >= size() || !records[id].lowered) return false;
  make_due_before_end(records[id], id, now);
  records[id].lowered = false;
  std::erase(lowered, id);
  return end(records[id], id, now);
}

LoadCounters Scheduler::load_counters() const noexcept {
  return state_->loads;
}

std::size_t Scheduler::lowered() const noexcept {
  return state_->lowered.size();
}

bool Scheduler::lowered(TaskId task) const noexcept {
  return task < state_->size() && state_->records[task].lowered;
}

}  // namespace takt::model
