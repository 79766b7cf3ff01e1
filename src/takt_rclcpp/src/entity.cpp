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
  // The destruction of an entity that was destroyed before this would otherwise not be noticed.
  if (gone()) watcher_->look_again();
}

void Entity::end() noexcept {
  const os::Lock lock(listening_);
  if (ended_.exchange(true)) return;
  stop_listening();
}

void Entity::take_over(Entity & old) {
  {
    // Two mutexes of one rank: scoped_lock does not wait for one while it holds the other.
    const std::scoped_lock lock(listening_, old.listening_);
    // The notification function is replaced without being reset first: rmw_fastrtps can crash the process
    // if the function of a service is reset while a request arrives.
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
  refuse(!timer && !options.reads.empty(), "only a timer reads subscriptions");
  refuse(!timer && options.queue > 0, "only a timer has the option `queue`");
  refuse(timer && options.min_interval != Duration::zero(),
         "a timer has a period, not a min_interval");
  refuse(!subscription && options.triggers.has_value(),
         "only a subscription has the option `triggers`");
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
  task.queue = 100;  // further jobs are released when these have run
  return task;
}

}  // namespace takt::rclcpp
