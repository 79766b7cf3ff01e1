// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/callback.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "takt_core/model/task_check.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/node.hpp"

namespace takt::tasks {
namespace {

/// Checked when the callback is created, not when an executor takes it, so that its creator gets
/// the error.
model::Task checked(model::Task task) {
  try {
    model::check_task(task);
  } catch (const std::invalid_argument & error) {
    throw Error(error.what());
  }
  return task;
}

}  // namespace

model::Task read_by(model::Task task, const std::vector<model::Task> & readers, bool own_priority,
                    bool own_deadline) {
  const auto shorter = [](model::Duration a, model::Duration b) { return b > 0 && b < a ? b : a; };
  model::Duration period = model::never;
  for (const model::Task & reader : readers) {
    if (!own_priority) task.priority = std::max(task.priority, reader.priority);
    if (!own_deadline) task.deadline = shorter(task.deadline, reader.deadline);
    period = shorter(period, reader.period > 0 ? reader.period : reader.rank_period);
  }
  if (period < model::never) task.rank_period = period;
  return task;
}

Callback::Callback(std::shared_ptr<Node> node, model::Task task, CallbackGroup::SharedPtr group,
                   const Demand & demand)
    : task_(checked(std::move(task))),
      node_(std::move(node)),
      group_(std::move(group)),
      demand_(demand) {
  if (demand.wcet < Duration::zero()) {
    throw Error("'" + task_.id + "': its wcet is negative: give 0 if it is not known");
  }
  if (group_ == nullptr || !demand.processor || !group_->processor()) return;
  if (*demand.processor != *group_->processor()) {
    throw Error("'" + task_.id + "' is placed on processor " + std::to_string(*demand.processor) +
                ", its group on processor " + std::to_string(*group_->processor()) +
                ": leave one of them out");
  }
}

Callback::~Callback() = default;

CallbackGroup::SharedPtr Callback::group() const {
  return group_ != nullptr ? group_ : node_->default_group();
}

std::optional<std::size_t> Callback::processor() const {
  if (demand_.processor) return demand_.processor;
  const CallbackGroup::SharedPtr group = this->group();
  return group->processor() ? group->processor() : node_->processor();
}

double Callback::utilisation(const model::Timing & timing) const {
  if (timing.suspended) return 0;
  const model::Task task = this->task();
  const model::Duration budget = timing.budget.value_or(task.budget);
  const bool declares = demand_.wcet > Duration::zero();
  if (!declares && budget == model::never) return 0;
  const model::Duration length = declares ? demand_.wcet.count() : budget;
  const model::Duration own = timing.period.value_or(task.period);
  const model::Duration period = own > 0 ? own : timing.rank_period.value_or(task.rank_period);
  return period > 0 ? static_cast<double>(length) / static_cast<double>(period) : 0;
}

const std::string & Callback::topic() const noexcept {
  static const std::string none;
  return none;
}

void Callback::set_notify(Notify notify, Restart begin_anew, void * context) {
  const bool timer = begin_anew != nullptr && task().kind == model::TaskKind::timer;
  const os::Lock lock(notify_mutex_);
  notify_ = notify;
  restart_ = begin_anew;
  notify_context_ = context;
  if (timer) restart_(notify_context_, next_release(), last_reset());
  const std::size_t waiting = waiting_.load(std::memory_order_relaxed);
  if (notify_ != nullptr && waiting > 0) notify_(notify_context_, waiting);
}

void Callback::run(const executor::JobInfo & job) {
  std::size_t waiting = waiting_.load(std::memory_order_relaxed);
  while (waiting > 0 &&
         !waiting_.compare_exchange_weak(waiting, waiting - 1, std::memory_order_relaxed)) {
  }
  execute(job);
}

model::Time Callback::next_release() const noexcept {
  return task_.own_grid ? model::never : -model::never;
}

void Callback::tell_next_release() noexcept {
  if (has_own_grid()) restart(next_release());
}

void Callback::detach() {
  node_->remove(*this);
}

void Callback::released(std::size_t count) noexcept {
  const os::Lock lock(notify_mutex_);
  // Releases beyond the queue were skipped, so they need no job.
  const std::size_t most = std::size_t{task_.queue} + 1;
  const std::size_t waiting = waiting_.load(std::memory_order_relaxed);
  if (waiting < most)
    waiting_.fetch_add(std::min(count, most - waiting), std::memory_order_relaxed);
  if (notify_ != nullptr) notify_(notify_context_, count);
}

void Callback::restart(model::Time first) noexcept {
  const os::Lock lock(notify_mutex_);
  if (restart_ != nullptr) restart_(notify_context_, first, last_reset());
}

void Callback::changed() {
  node_->changed(shared_from_this());
}

}  // namespace takt::tasks
