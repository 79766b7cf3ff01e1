// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that changes plans, starts and stops.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dispatcher.hpp"
#include "notice_handler.hpp"
#include "worker.hpp"

namespace takt::executor {

void Dispatcher::set_workers(std::vector<Worker *> workers) {
  const os::Lock lock(mutex_);
  workers_ = std::move(workers);
  all_ = workers_;
  spares_.clear();
  moving_.reserve(workers_.size());
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i]->set_level(static_cast<model::Level>(i + 1));
  }
}

// Memory is allocated and freed without the lock. Workers are added by one thread at a time.
void Dispatcher::add_spare(Worker & worker) {
  const std::size_t count = count_workers() + 1;
  std::vector<Worker *> spares;
  std::vector<Worker *> all;
  spares.reserve(count);
  all.reserve(count);
  const os::Lock lock(mutex_);
  worker.set_level(0);
  for (auto [list, larger] : {std::pair(&spares_, &spares), std::pair(&all_, &all)}) {
    larger->assign(list->begin(), list->end());
    larger->push_back(&worker);
    list->swap(*larger);
  }
}

std::size_t Dispatcher::count_workers() const noexcept {
  const os::Lock lock(mutex_);
  return all_.size();
}

// ---- plans ----------------------------------------------------------------------------------

bool Dispatcher::must_not_wait() const noexcept {
  const Worker * worker = Worker::current();
  return (worker != nullptr && &worker->dispatcher() == this) ||
         Processor::NonblockingRemoval::active();
}

std::unique_ptr<model::Plan> Dispatcher::make_plan(model::Setup & setup) {
  tasks_.make_room(setup.size());
  model::Outlook outlook;
  {
    const os::Lock lock(mutex_);
    outlook = scheduler_.begin_plan(os::now());
  }
  return scheduler_.make_plan(setup, outlook);
}

void Dispatcher::apply(std::unique_ptr<model::Plan> & plan,
                       std::vector<TaskTable::NewEntry> & added,
                       const std::vector<TaskTable::NewEntry> & changed) noexcept {
  Wakes wakes;
  const os::Lock lock(mutex_);
  const model::Time now = now_ = os::now();
  for (TaskTable::NewEntry & task : added) tasks_.add(std::move(task), spin_time_.until(now));
  for (const TaskTable::NewEntry & task : changed) tasks_.replace_function(task);
  scheduler_.apply(plan, now);
  move_workers();
  listeners_.levels(scheduler_.levels(), scheduler_.plan().merged);
  choose_timekeeper();
  dispatch(now, nullptr, wakes);
  wake_locked(wakes);
}

void Dispatcher::move_workers() noexcept {
  if (scheduler_.moved().empty()) return;
  // First the workers with a job, to the levels of their jobs; the others take the remaining
  // levels.
  moving_.assign(workers_.begin(), workers_.end());
  std::fill(workers_.begin(), workers_.end(), nullptr);
  for (Worker *& worker : moving_) {
    if (!worker->has_job()) continue;
    model::Level level = worker->level();
    for (const model::MovedJob & job : scheduler_.moved()) {
      if (job.from == worker->level()) level = job.to;
    }
    workers_[level - 1] = std::exchange(worker, nullptr);
  }
  auto free = moving_.begin();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const auto level = static_cast<model::Level>(i + 1);
    if (workers_[i] == nullptr) {
      free = std::find_if(free, moving_.end(), [](const Worker * each) { return each != nullptr; });
      workers_[i] = *free++;
      workers_[i]->set_level(level);
    } else if (workers_[i]->level() != level) {
      workers_[i]->set_level(level);
      run_at(*workers_[i], level);
    }
  }
}

bool Dispatcher::retire(const std::shared_ptr<RemovedTask> & task) {
  const os::Lock lock(mutex_);
  task->started = scheduler_.retire(task->task);
  if (task->started) {
    removed_tasks_.add_started(task);
  } else {
    end(*task);
    if (!task->waited_for) removed_tasks_.add_ended(task);
  }
  return task->started;
}

void Dispatcher::end(RemovedTask & task) noexcept {
  task.over = true;
  tasks_.remove(task.task, task.name);
  task.ended.post();
}

bool Dispatcher::is_being_removed(TaskId task) const noexcept {
  const os::Lock lock(mutex_);
  return removed_tasks_.is_started(tasks_.in_model(task));
}

std::vector<model::TaskId> Dispatcher::take_ended(std::vector<model::TaskId> & tasks) {
  std::vector<model::TaskId> ended;
  ended.reserve(tasks.size());
  const os::Lock lock(mutex_);
  std::erase_if(tasks, [&](model::TaskId task) TAKT_REQUIRES(mutex_) {
    if (scheduler_.busy(task)) return false;
    ended.push_back(task);
    return true;
  });
  return ended;
}

void Dispatcher::destroy_removed_tasks() {
  RemovedTasks::Task ended;  // destroyed after the lock is released
  {
    const os::Lock lock(mutex_);
    ended = removed_tasks_.take_ended();
  }
  RemovedTasks::destroy(std::move(ended));
}

model::TaskId Dispatcher::task_in_model(TaskId task) const {
  const model::TaskId in_model = tasks_.in_model(task);
  if (!scheduler_.contains(in_model)) {
    throw std::invalid_argument("no task " + std::to_string(to_number(task)));
  }
  return in_model;
}

// A job of the highest level is not preempted, so nobody has to keep the time while it runs, and
// before that its worker can sleep until it is due: no other thread has to wake first. But handlers
// must be called, and budgets enforced, while it runs, too.
void Dispatcher::choose_timekeeper() noexcept {
  Worker * timekeeper = single_worker_;
  if (timekeeper == nullptr && !listeners_.notices.wanted() && !scheduler_.plan().budgets) {
    timekeeper = workers_[scheduler_.levels() - 1];
  }
  // A former spare worker has the background priority until it is given a job.
  if (timekeeper_.change(timekeeper, os::now()) && timekeeper != nullptr &&
      timekeeper->tid() != 0 && timekeeper->runs_at() != timekeeper->level()) {
    run_at(*timekeeper, timekeeper->level());
  }
}

// ---- running --------------------------------------------------------------------------------

void Dispatcher::set_single_worker(bool alone) noexcept {
  const os::Lock lock(mutex_);
  single_worker_ = alone ? workers_.front() : nullptr;
  timekeeper_.set_single_worker(single_worker_);
  choose_timekeeper();
}

void Dispatcher::go() noexcept {
  Wakes wakes;
  const os::Lock lock(mutex_);
  const model::Time now = os::now();
  gate_.open(Gate::halted);
  spin_time_.begin(now);
  if (trace_ != nullptr) trace_mark(now, trace::Kind::spin, 1);
  dispatch(now, nullptr, wakes);
  wakes.timekeeper = &timekeeper_.event();
  wake_locked(wakes);
}

void Dispatcher::stop() noexcept {
  gate_.close(Gate::stopping);
  listeners_.idle.post();
}

void Dispatcher::set_quiescent(bool quiescent) noexcept {
  const os::Lock lock(mutex_);
  scheduler_.set_quiescent(quiescent);
}

Dispatcher::Place Dispatcher::place(const Worker & worker) const noexcept {
  const os::Lock lock(mutex_);
  if (worker.level() == 0) return Place::background;
  const bool top = !scheduler_.idle() && workers_[scheduler_.running() - 1] == &worker;
  return top ? Place::running : Place::preempted;
}

Dispatcher::Scheduling Dispatcher::scheduling() const {
  const os::Lock lock(mutex_);
  const model::Policy & policy = scheduler_.policy_now();
  // A policy that preempts has a single worker only for lack of rights.
  const Preemption preemption = !policy.preemptive()        ? Preemption::not_by_policy
                                : single_worker_ != nullptr ? Preemption::not_without_rights
                                                            : Preemption::allowed;
  return {std::string(policy.name()), preemption};
}

Dispatcher::DelayedStart Dispatcher::start_delayed_by(const Worker & worker) const noexcept {
  const os::Lock lock(mutex_);
  const model::Job * const next = scheduler_.upcoming()[0];
  if (next == nullptr || worker.level() == 0) return {};
  // If its level is above the worker's, only the ceiling of a group keeps it from starting.
  return {tasks_.name(tasks_.entry(next->task).id), next->level > worker.level()};
}

bool Dispatcher::idle() const noexcept {
  const os::Lock lock(mutex_);
  return all_done();
}

void Dispatcher::handlers_changed(bool overruns) noexcept {
  const os::Lock lock(mutex_);
  scheduler_.store_overruns(overruns);
  choose_timekeeper();
}

void Dispatcher::halt() noexcept {
  const os::Lock lock(mutex_);
  gate_.close(Gate::halted);
  timekeeper_.wake();
  const model::Time now = os::now();
  if (trace_ != nullptr && spin_time_.spinning()) trace_mark(now, trace::Kind::spin, 0);
  spin_time_.end(now);
}

// ---- looking --------------------------------------------------------------------------------

void Dispatcher::set_observer(void (*observer)(void *, const FinishedJob &),
                              void * context) noexcept {
  const os::Lock lock(mutex_);
  observer_ = observer;
  observer_context_ = context;
}

TaskTable::Name Dispatcher::name(TaskId task) const noexcept {
  const os::Lock lock(mutex_);
  return tasks_.name(task);
}

model::TaskCounters Dispatcher::counters(TaskId task) const {
  const os::Lock lock(mutex_);
  return scheduler_.counters(task_in_model(task));
}

TaskStatus Dispatcher::status(TaskId task) const {
  const os::Lock lock(mutex_);
  const model::TaskId in_model = task_in_model(task);
  const model::Task & now = scheduler_.task_now(in_model);
  TaskStatus status{scheduler_.counters(in_model),
                    scheduler_.level(in_model),
                    now.period,
                    now.deadline,
                    now.priority,
                    scheduler_.suspended(in_model),
                    nullptr};
  status.responses = tasks_.responses(task);
  return status;
}

double Dispatcher::utilisation(TaskId task) const {
  const os::Lock lock(mutex_);
  task_in_model(task);
  const TaskTable::Use & use = tasks_.use(task);
  const model::Duration length = spin_time_.until(os::now()) - use.since;
  return length > 0 ? static_cast<double>(use.executed) / static_cast<double>(length) : 0;
}

void Dispatcher::add_to(Statistics & statistics) const noexcept {
  const os::Lock lock(mutex_);
  counters_.add_to(statistics);
  statistics.reranked = scheduler_.reranked();
  statistics.loads = scheduler_.load_counters();
  statistics.ages = scheduler_.age_counters();
  statistics.scenario = scheduler_.scenario();
  statistics.scenario_requests_overwritten = request_.overwritten();
  statistics.unreported = listeners_.notices.dropped() + scheduler_.unreported();
}

void Dispatcher::add_to(Grants & grants) const {
  const os::Lock lock(mutex_);
  grants.policy_in_use = scheduler_.plan().policy;
  grants.max_section = max_section_;
  grants.levels = scheduler_.levels();
  grants.merged_levels = scheduler_.plan().merged;
}

}  // namespace takt::executor
