// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that changes tasks, starts and stops.
#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "dispatcher.hpp"
#include "log.hpp"
#include "notice_handler.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

// A change made later can no longer tell its caller what is wrong with the task.
void check(model::Task task) {
  task.group = model::none;
  model::Scheduler(model::make_policy("fp")).add_task(task);
}

}  // namespace

void Dispatcher::set_workers(std::vector<Worker *> workers) {
  const std::lock_guard lock(mutex_);
  workers_ = std::move(workers);
  spares_.clear();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i]->set_level(static_cast<model::Level>(i + 1));
  }
}

void Dispatcher::add_spare(Worker & worker) {
  const std::lock_guard lock(mutex_);
  worker.set_level(0);
  spares_.push_back(&worker);
}

// ---- changes --------------------------------------------------------------------------------

bool Dispatcher::must_not_wait() const noexcept {
  const Worker * worker = Worker::current();
  return (worker != nullptr && &worker->dispatcher() == this) || Processor::Later::wanted();
}

void Dispatcher::change(std::function<void()> make, model::TaskId idle_task) {
  const bool later = must_not_wait();
  const auto change = std::make_shared<Change>();
  if (later) {
    change->make = [this, make = std::move(make)] {
      try {
        make();
      } catch (const std::exception & error) {
        listeners_.log.write_later(std::string("a change asked for by a callback failed: ") +
                                   error.what());
      }
    };
  } else {
    change->make = std::move(make);
  }
  change->idle_task = idle_task;
  Wakes wakes;
  {
    const std::lock_guard lock(mutex_);
    changes_.push(change);
    gate_.close(Gate::changing);
    settle(os::now(), nullptr, wakes);
  }
  wake(wakes);
  if (later) return;
  change->made.wait();
  if (change->error != nullptr) std::rethrow_exception(change->error);
}

bool Dispatcher::may_make(const Change & change) const noexcept {
  const model::TaskId task = tasks_.in_model(change.idle_task);
  return task == model::none || !scheduler_.lowered(task);
}

void Dispatcher::make_changes() noexcept {
  // Who finishes a job in the background tries again.
  if (!may_make(changes_.first())) return;
  // What was due before finds the tasks as they were.
  changing_at_ = now_ = os::now();
  scheduler_.advance(changing_at_);
  const auto ready = [this](const Change & change) { return may_make(change); };
  changes_.make(ready, [this] {
    commit();
    const model::Time now = os::now();
    for (const model::TaskId id : added_) {
      const TaskTable::Early early = tasks_.take_early(id);
      for (std::uint32_t n = early.releases; n > 0; --n) {
        scheduler_.release(tasks_.in_model(id), now, now);
      }
      scheduler_.restart(tasks_.in_model(id), early.restart, now);
    }
    added_.clear();
  });
}

model::GroupId Dispatcher::add_group(model::Group group) {
  model::GroupId id = model::none;
  {
    const std::lock_guard lock(mutex_);
    id = groups_.take();
  }
  if (recorder_ != nullptr) {
    recorder_->define(trace::Definition("group")
                          .add("group", std::int64_t{id})
                          .add("first_task", std::int64_t{tasks_.first()})
                          .add("exclusive", group.exclusive));
  }
  change([this, id, group] { groups_.bind(id, scheduler_.add_group(group)); });
  return id;
}

void Dispatcher::remove_group(model::GroupId group) {
  change([this, group] {
    scheduler_.remove_group(group_in_model(group));
    groups_.give_back(group);
  });
}

model::TaskId Dispatcher::add_task(const model::Task & task, JobFunction function) {
  check(task);
  const std::size_t spares = task.on_budget == model::OnBudget::background ? 1 : 0;
  model::TaskId id = model::none;
  {
    const std::lock_guard lock(mutex_);
    id = tasks_.add(task.id);
    ++adds_waiting_;
    lowerable_ += spares;
  }
  if (recorder_ != nullptr) define_task(id, task);
  try {
    listeners_.enlist(staff_soon());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    --adds_waiting_;
    lowerable_ -= spares;
    tasks_.remove(id);
    throw;
  }
  change([this, id, spares, added = task, function]() mutable {
    --adds_waiting_;
    try {
      if (added.group != model::none) added.group = group_in_model(added.group);
      tasks_.bind(id, scheduler_.add_task(added, os::now()), function);
      tasks_.use(id) = {0, spun()};
    } catch (...) {
      lowerable_ -= spares;
      tasks_.remove(id);
      throw;
    }
    added_.push_back(id);
  });
  return id;
}

void Dispatcher::remove_task(model::TaskId task, std::shared_ptr<void> keep) {
  auto make = [this, task, keep = std::move(keep)]() mutable {
    // Destroyed by a thread that may wait, and not under the lock.
    if (keep.use_count() > 0) kept_.push_back(std::move(keep));
    const model::TaskId in_model = task_in_model(task);
    if (scheduler_.task(in_model).on_budget == model::OnBudget::background) --lowerable_;
    scheduler_.remove_task(in_model);
    tasks_.remove(task);
    std::erase(added_, task);
  };
  change(std::move(make), task);
  if (!must_not_wait()) take_kept().clear();
}

void Dispatcher::start_grid(model::Time t0) {
  change([this, t0] { scheduler_.start_grid(t0); });
}

void Dispatcher::set_data_flow(std::map<model::TaskId, model::DataFlow> data) {
  const auto given = std::make_shared<std::map<model::TaskId, model::DataFlow>>(std::move(data));
  change([this, given] {
    std::map<model::TaskId, model::DataFlow> present;
    for (auto & [task, flow] : *given) {
      const model::TaskId id = tasks_.in_model(task);
      if (id != model::none) present.emplace(id, std::move(flow));
    }
    scheduler_.set_data_flow(std::move(present));
  });
}

model::TaskId Dispatcher::task_in_model(model::TaskId task) const {
  const model::TaskId id = tasks_.in_model(task);
  if (id == model::none) throw std::invalid_argument("no task " + std::to_string(task));
  return id;
}

model::GroupId Dispatcher::group_in_model(model::GroupId group) const {
  const model::GroupId id = groups_.in_model(group);
  if (id == model::none) throw std::invalid_argument("no group " + std::to_string(group));
  return id;
}

void Dispatcher::commit() {
  scheduler_.commit();
  listeners_.levels(scheduler_.levels(), scheduler_.merged_levels());
  choose_keeper();
}

// A job of the highest level is not preempted, so while it runs nobody has to keep the time, and
// before that its worker can sleep until it is due: no other thread has to wake first. But what
// handlers are told, and what budgets end, has to be seen while it runs.
void Dispatcher::choose_keeper() noexcept {
  Worker * keeper = alone_;
  const bool halted = (gate_.look() & Gate::halted) != 0;
  if (keeper == nullptr && !listeners_.notices.wanted() && !scheduler_.has_budgets()) {
    keeper = workers_[scheduler_.levels() - 1];
    // Before the spin all are given threads; later that may fail.
    if (!halted && keeper->tid() == 0) keeper = nullptr;
  }
  if (keeper == keeper_) return;
  os::Event & before = event_of_keeper();
  keeper_ = keeper;
  unkept_since_ = keeper != nullptr && keeper->has_job() ? os::now() : model::never;
  // One that was a spare has the priority of the background until it is given a job.
  if (!halted && keeper != nullptr && keeper->runs_at() != keeper->level()) {
    run_at(*keeper, keeper->level());
  }
  // Both look anew: the one to sleep until something is due, the other until it has a job.
  before.post();
  event_of_keeper().post();
}

os::Event & Dispatcher::event_of_keeper() const noexcept {
  Worker * const keeper = keeper_;
  return keeper != nullptr ? keeper->event() : listeners_.timer;
}

model::Level Dispatcher::most_levels() const noexcept {
  if (alone_ != nullptr) return 1;
  const std::size_t most =
      scenarios_waiting_ > 0 ? tasks_.count() : scheduler_.levels() + adds_waiting_;
  return static_cast<model::Level>(std::min(workers_.size(), most));
}

Staff Dispatcher::staff_soon() const noexcept {
  const std::lock_guard lock(mutex_);
  return {most_levels(), lowerable_};
}

std::vector<std::shared_ptr<void>> Dispatcher::take_kept() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(kept_, {});
}

// ---- running --------------------------------------------------------------------------------

void Dispatcher::set_policy(std::unique_ptr<model::Policy> policy, bool alone) {
  const std::lock_guard lock(mutex_);
  scheduler_.set_policy(std::move(policy));
  alone_ = alone ? workers_.front() : nullptr;
  helper_ = alone ? &workers_.front()->event() : &listeners_.timer;
  commit();
}

bool Dispatcher::go(const Staff & staff) {
  Wakes wakes;
  {
    const std::lock_guard lock(mutex_);
    if (alone_ == nullptr && !staff.covers({most_levels(), lowerable_})) return false;
    const model::Time now = os::now();
    if (!scheduler_.grid()) {
      scheduler_.start_grid(now);
      commit();
    }
    gate_.open(Gate::halted);
    spins_since_ = now;
    if (trace_ != nullptr) trace_mark(now, trace::Kind::spin, 1);
    settle(now, nullptr, wakes);
  }
  wake(wakes);
  return true;
}

void Dispatcher::stop() noexcept {
  gate_.close(Gate::stopping);
  listeners_.idle.post();
}

Dispatcher::Place Dispatcher::place(const Worker & worker) const noexcept {
  const std::lock_guard lock(mutex_);
  if (worker.level() == 0) return Place::background;
  const bool top = !scheduler_.idle() && workers_[scheduler_.running() - 1] == &worker;
  return top ? Place::running : Place::preempted;
}

bool Dispatcher::idle() const noexcept {
  const std::lock_guard lock(mutex_);
  return all_done();
}

void Dispatcher::handlers_changed(bool overruns) noexcept {
  const std::lock_guard lock(mutex_);
  scheduler_.tell_overruns(overruns);
  choose_keeper();
}

void Dispatcher::halt() noexcept {
  const std::lock_guard lock(mutex_);
  gate_.close(Gate::halted);
  sleeps_until_ = awake;
  if (trace_ != nullptr && spins_since_ != awake) trace_mark(os::now(), trace::Kind::spin, 0);
  spun_ = spun();
  spins_since_ = awake;
}

model::Duration Dispatcher::spun() const noexcept {
  return spins_since_ == awake ? spun_ : spun_ + (os::now() - spins_since_);
}

// ---- looking --------------------------------------------------------------------------------

void Dispatcher::set_observer(void (*observer)(void *, const FinishedJob &),
                              void * context) noexcept {
  const std::lock_guard lock(mutex_);
  observer_ = observer;
  observer_context_ = context;
}

TaskTable::Name Dispatcher::name(model::TaskId task) const noexcept {
  const std::lock_guard lock(mutex_);
  return tasks_.name(task);
}

model::TaskCounters Dispatcher::counters(model::TaskId task) const {
  const std::lock_guard lock(mutex_);
  if (tasks_.contains(task) && tasks_.in_model(task) == model::none) return {};
  return scheduler_.counters(task_in_model(task));
}

TaskStatus Dispatcher::status(model::TaskId task) const {
  const std::lock_guard lock(mutex_);
  TaskStatus status;
  if (!tasks_.contains(task) || tasks_.in_model(task) != model::none) {
    const model::TaskId in_model = task_in_model(task);
    const model::Task & now = scheduler_.task_now(in_model);
    status = {scheduler_.counters(in_model),
              scheduler_.level(in_model),
              now.period,
              now.deadline,
              now.priority,
              scheduler_.suspended(in_model),
              nullptr};
  }
  status.responses = tasks_.responses(task);
  return status;
}

double Dispatcher::utilisation(model::TaskId task) const {
  const std::lock_guard lock(mutex_);
  task_in_model(task);
  const TaskTable::Use & use = tasks_.use(task);
  const model::Duration length = spun() - use.since;
  return length > 0 ? static_cast<double>(use.executed) / static_cast<double>(length) : 0;
}

void Dispatcher::add_to(Statistics & statistics) const noexcept {
  const std::lock_guard lock(mutex_);
  statistics.jobs = jobs_;
  statistics.decisions = decisions_;
  statistics.deferred = deferred_;
  statistics.crossings = crossings_;
  statistics.longest_lock_wait_ns = longest_lock_wait_;
  statistics.longest_lock_hold_ns = longest_lock_hold_;
  statistics.reranked = scheduler_.reranked();
  statistics.loads = scheduler_.load_counters();
  statistics.ages = scheduler_.age_counters();
  statistics.scenario = scheduler_.scenario();
  statistics.scenario_switches = switches_;
  statistics.scenario_requests_overwritten = overwritten_.load();
  statistics.last_switch_ns = last_switch_;
  statistics.longest_switch_ns = longest_switch_;
  statistics.unreported = listeners_.notices.dropped() + scheduler_.unreported();
}

void Dispatcher::add_to(Grants & grants) const {
  const std::lock_guard lock(mutex_);
  grants.policy_in_use = scheduler_.policy().name();
  grants.levels = scheduler_.levels();
  grants.merged_levels = scheduler_.merged_levels();
}

}  // namespace takt::executor
