// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "crew.hpp"

#include <mutex>
#include <utility>

#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/os/rights.hpp"

namespace takt::executor {
namespace {

PlannedThread planned(const os::Thread & thread, ThreadRole role) {
  const os::Granted & priority = thread.priority();
  const os::Granted & cpu = thread.cpu();
  std::string error = priority.error;
  if (!cpu.ok()) error += (error.empty() ? "" : "; ") + cpu.error;
  return {thread.name(),    thread.tid(), to_string(role), priority.asked,
          priority.granted, cpu.granted,  std::move(error)};
}

}  // namespace

Crew::Crew(const Options & options, int cpu, Processor & processor, Dispatcher & dispatcher,
           Faults & faults, Timer & timer, MissHandler * handler)
    : options_(options), cpu_(cpu), dispatcher_(dispatcher), timer_(timer), handler_(handler) {
  const std::size_t most = options.plan.max_levels();
  std::vector<Worker *> workers;
  for (std::size_t level = 1; level <= most; ++level) {
    workers_.push_back(
        std::make_unique<Worker>(static_cast<model::Level>(level), processor, dispatcher, faults));
    workers.push_back(workers_.back().get());
  }
  worker_threads_.reserve(most);
  dispatcher.set_workers(std::move(workers));
}

Crew::~Crew() {
  dismiss();
}

os::ThreadOptions Crew::thread(std::string name, int priority) const {
  return {.name = std::move(name), .priority = priority, .cpu = cpu_, .stack = options_.stack_size};
}

bool Crew::start_timer() {
  os::Thread timer(thread("takt.timer", options_.plan.timer), [this] { timer_.run(dispatcher_); });
  const bool granted = timer.priority().ok();
  const std::lock_guard lock(mutex_);
  timer_thread_ = std::move(timer);
  return granted;
}

void Crew::start_workers(model::Level levels) {
  {
    const std::lock_guard lock(mutex_);
    preempts_ = true;
  }
  more_levels(levels);
}

void Crew::more_levels(model::Level levels) {
  const std::lock_guard lock(mutex_);
  if (!preempts_) return;
  while (worker_threads_.size() < levels) {
    Worker & worker = *workers_[worker_threads_.size()];
    worker_threads_.emplace_back(thread("takt.w" + std::to_string(worker.level()),
                                        options_.plan.worker(worker.level(), levels_)),
                                 [&worker] { worker.run_level(); });
    worker.set_thread(worker_threads_.back().tid());
  }
}

void Crew::start_alone() {
  const std::lock_guard lock(mutex_);
  Worker & worker = *workers_.front();
  worker_threads_.emplace_back(thread("takt.w1", options_.plan.workers_high),
                               [&worker] { worker.run_alone(); });
  worker.set_thread(worker_threads_.back().tid());
}

void Crew::start_handler() {
  if (handler_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  handler_thread_ =
      os::Thread(thread("takt.handler", options_.plan.handler), [this] { handler_->run(); });
}

void Crew::dismiss() noexcept {
  std::vector<os::Thread> workers;
  os::Thread timer;
  os::Thread handler;
  {
    const std::lock_guard lock(mutex_);
    workers.swap(worker_threads_);
    worker_threads_.reserve(workers_.size());
    timer = std::move(timer_thread_);
    handler = std::move(handler_thread_);
    preempts_ = false;
  }
  // Joined without the lock: they may still be making a change, which asks for it.
  if (timer.joinable()) timer_.quit();
  timer.join();
  for (std::size_t i = 0; i < workers.size(); ++i) workers_[i]->quit();
  workers.clear();
  if (handler.joinable()) handler_->stop();
  handler.join();
}

void Crew::set_levels(model::Level levels) {
  const std::lock_guard lock(mutex_);
  if (levels == levels_) return;
  levels_ = levels;
  for (std::size_t i = 0; i < worker_threads_.size(); ++i) {
    worker_threads_[i].set_priority(options_.plan.worker(i + 1, levels));
  }
}

void Crew::run_at(const Worker & worker, model::Level level) {
  const PriorityPlan & plan = options_.plan;
  os::set_fifo(worker.tid(), level == 0 ? plan.background : plan.worker(level, levels_));
}

model::Level Crew::staffed() const noexcept {
  const std::lock_guard lock(mutex_);
  return static_cast<model::Level>(worker_threads_.size());
}

std::vector<PlannedThread> Crew::threads() const {
  const std::lock_guard lock(mutex_);
  std::vector<PlannedThread> threads;
  if (timer_thread_.joinable()) threads.push_back(planned(timer_thread_, ThreadRole::timer));
  for (const os::Thread & thread : worker_threads_) {
    threads.push_back(planned(thread, ThreadRole::worker));
  }
  if (handler_thread_.joinable()) threads.push_back(planned(handler_thread_, ThreadRole::handler));
  return threads;
}

}  // namespace takt::executor
