// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "entity.hpp"

#include <algorithm>

#include <rclcpp/exceptions.hpp>

#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {

void Entity::listen(bool on) {
  {
    const os::Lock lock(listening_);
    if (ended()) return;
    if (!on) return stop_listening();
    if (!watcher_->listening.load()) return;
    start_listening();
    look();
  }
  listening_began();
  // One that was dropped before has nothing that would find it gone.
  if (gone()) watcher_->look_again();
}

void Entity::end() noexcept {
  const os::Lock lock(listening_);
  if (ended_.exchange(true)) return;
  stop_listening();
}

void Entity::take_over(Entity & old) {
  {
    // Two of one rank: neither is waited for while the other is held.
    const std::scoped_lock lock(listening_, old.listening_);
    // rmw_fastrtps can end the process where a service ceases to be listened to as a request comes.
    if (!old.ended_.exchange(true) && watcher_->listening.load()) {
      start_listening();
      old.give_up_listening();
    }
  }
  continue_from(old);
  release(jobs());
}

void Entity::execute(const executor::JobInfo & job) {
  if (ended()) return;
  struct Refill {
    Entity & self;
    ~Refill() {
      if (self.claim_job()) self.release(1);
    }
  } const refill{*this};
  run_job(job);
}

executor::Footprint Entity::footprint() const noexcept {
  executor::Footprint footprint = tasks::Callback::footprint();
  footprint.add(&ended_);
  return footprint;
}

void Entity::release(std::size_t count) noexcept {
  if (count > 0) released(std::min<std::size_t>(count, std::size_t{task_.queue} + 1));
}

void check(rcl_ret_t code, const std::string & what) {
  if (code != RCL_RET_OK) ::rclcpp::exceptions::throw_from_rcl_error(code, what);
}

model::Task make_task(const std::string & name, model::TaskKind kind, const TaskOptions & options) {
  const bool timer = kind == model::TaskKind::timer;
  const bool subscription = kind == model::TaskKind::subscription;
  const auto refuse = [&name](bool unfit, const std::string & what) {
    if (unfit) throw Error("'" + name + "': " + what);
  };
  refuse(!timer && options.phase.has_value(), "only a timer has a phase");
  refuse(!timer && !options.reads.empty(), "only a timer reads subscriptions before its job");
  refuse(!timer && options.queue > 0, "only a timer has a queue of jobs: others have one anyway");
  refuse(timer && options.min_interval != Duration::zero(),
         "a timer has a period, no min_interval");
  refuse(!subscription && options.triggers.has_value(),
         "only a subscription triggers, or does not");
  model::Task task;
  task.id = name;
  task.kind = kind;
  task.priority = options.priority.value_or(model::lowest_priority);
  if (options.deadline && *options.deadline != Duration::max()) {
    task.deadline = options.deadline->count();
  }
  if (!timer) task.period = options.min_interval.count();
  task.queue = options.queue;
  if (options.budget != Duration::zero()) task.budget = options.budget.count();
  task.on_budget = options.on_budget;
  return task;
}

model::Task make_queued_task(const std::string & name, model::TaskKind kind,
                             const TaskOptions & options) {
  model::Task task = make_task(name, kind, options);
  task.queue = 100;  // more are released when those have run
  return task;
}

}  // namespace takt::rclcpp
