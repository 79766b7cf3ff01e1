// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "worker_pool.hpp"

#include <algorithm>
#include <utility>

#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/rights.hpp"

namespace takt::executor {
namespace {

// How much of a stack is touched in advance, in bytes: as deep as callbacks usually go. See
// docs/decisions/0062-what-is-prepared-before-spinning.md.
constexpr std::size_t ready_stack = std::size_t{2} << 20;
constexpr std::size_t timer_ready_stack = std::size_t{256} << 10;

PlannedThread planned(const os::Thread & thread, ThreadRole role) {
  const os::Granted & priority = thread.priority();
  const os::Granted & cpu = thread.cpu();
  std::string error = priority.error;
  if (!cpu.ok()) error += (error.empty() ? "" : "; ") + cpu.error;
  return {thread.name(),    thread.tid(), to_string(role), priority.asked,
          priority.granted, cpu.granted,  std::move(error)};
}

}  // namespace

WorkerPool::WorkerPool(const Options & options, int cpu, Processor & processor,
                       Dispatcher & dispatcher, Faults & faults, Timer & timer,
                       NoticeHandler & handler, MiddlewareWaits & waits)
    : options_(options),
      cpu_(cpu),
      processor_(processor),
      dispatcher_(dispatcher),
      faults_(faults),
      timer_(timer),
      handler_(handler),
      waits_(waits) {
  const std::size_t most = options.plan.max_levels();
  while (workers_.size() < most) make_worker(workers_);
  worker_threads_.reserve(most);
  assign_levels();
}

Worker & WorkerPool::make_worker(std::vector<std::unique_ptr<Worker>> & workers) {
  const auto number = static_cast<model::Level>(workers_.size() + spares_.size() + 1);
  workers.push_back(std::make_unique<Worker>(number, processor_, dispatcher_, faults_, waits_));
  return *workers.back();
}

void WorkerPool::assign_levels() {
  std::vector<Worker *> workers;
  for (const auto & worker : workers_) workers.push_back(worker.get());
  dispatcher_.set_workers(std::move(workers));
}

void WorkerPool::give_ring(Worker & worker) const {
  if (options_.trace == nullptr || worker.trace() != nullptr) return;
  worker.set_trace(options_.trace->add_ring(
      trace::Definition("ring")
          .add("thread", "takt.w" + std::to_string(worker.number()))
          .add("first_task", std::int64_t{to_number(options_.membership.first_task)})));
}

WorkerPool::~WorkerPool() {
  dismiss();
}

os::ThreadOptions WorkerPool::thread(std::string name, int priority) const {
  return {.name = std::move(name),
          .priority = priority,
          .cpu = cpu_,
          .stack = options_.stack_size != 0 ? options_.stack_size : os::ordinary_stack_size(),
          .ready_stack = ready_stack,
          .running = &Worker::tell_running};
}

template <typename Function>
void WorkerPool::for_each_thread(const Function & function) {
  if (timer_thread_.joinable()) function(timer_thread_);
  for (os::Thread & thread : worker_threads_) function(thread);
  for (os::Thread & thread : spare_threads_) function(thread);
  if (handler_thread_.joinable()) function(handler_thread_);
}

void WorkerPool::begin(bool alone) {
  {
    const os::Lock creation(creation_mutex_);
    const os::Lock lock(mutex_);
    parked_ = false;
    bool serve = workers_have_threads_ && preempts_ == !alone;
    for_each_thread(
        [&serve](const os::Thread & thread) { serve = serve && thread.has_what_was_asked(); });
    if (serve || !workers_have_threads_) return;
  }
  dismiss();
}

void WorkerPool::park() noexcept {
  bool handles = false;
  {
    const os::Lock creation(creation_mutex_);
    const os::Lock lock(mutex_);
    parked_ = true;
    handles = handler_thread_.joinable();
  }
  if (handles) handler_.rest();
}

bool WorkerPool::keep_cpus() {
  const os::Lock lock(mutex_);
  bool kept = true;
  for_each_thread([&kept](os::Thread & thread) { kept = thread.keep_cpu() && kept; });
  return kept;
}

bool WorkerPool::start_timer() {
  {
    const os::Lock lock(mutex_);
    if (timer_thread_.joinable()) return true;
  }
  // The timer thread runs no callback.
  os::ThreadOptions options = thread("takt.timer", options_.plan.timer);
  options.ready_stack = timer_ready_stack;
  timer_.begin();
  os::Thread timer(std::move(options), [this] { timer_.run(dispatcher_); });
  const bool granted = timer.priority().ok();
  const os::Lock lock(mutex_);
  timer_thread_ = std::move(timer);
  return granted;
}

void WorkerPool::start_workers(const WorkerCount & workers) {
  {
    const os::Lock lock(mutex_);
    preempts_ = workers_have_threads_ = true;
  }
  ensure(workers);
}

void WorkerPool::ensure(const WorkerCount & workers) {
  const os::Lock creation(creation_mutex_);
  while (start_worker(workers.levels)) {
  }
  while (Worker * spare = start_spare(workers.spares)) dispatcher_.add_spare(*spare);
}

bool WorkerPool::start_worker(std::size_t count) {
  std::size_t place = 0;
  model::Level levels = 0;
  {
    const os::Lock lock(mutex_);
    place = worker_threads_.size();
    levels = levels_;
    if (!preempts_ || place >= count) return false;
  }
  Worker & worker = *workers_[place];
  give_ring(worker);
  const model::Level level = worker.number();
  os::Thread made(thread("takt.w" + std::to_string(level), options_.plan.worker(level, levels)),
                  [&worker] { worker.run(); });
  const os::Lock lock(mutex_);
  if (levels != levels_) made.set_priority(options_.plan.worker(level, levels_));
  worker.set_thread(made.tid(), level);
  worker_threads_.push_back(std::move(made));
  return true;
}

Worker * WorkerPool::start_spare(std::size_t count) {
  Worker * spare = nullptr;
  {
    const os::Lock lock(mutex_);
    const std::size_t place = spare_threads_.size();
    if (!preempts_ || place >= count) return nullptr;
    spare = place < spares_.size() ? spares_[place].get() : &make_worker(spares_);
  }
  give_ring(*spare);
  os::Thread made(thread("takt.w" + std::to_string(spare->number()), options_.plan.background),
                  [spare] { spare->run(); });
  const os::Lock lock(mutex_);
  spare->set_thread(made.tid(), 0);
  spare_threads_.push_back(std::move(made));
  return spare;
}

void WorkerPool::start_single_worker() {
  const os::Lock creation(creation_mutex_);
  {
    const os::Lock lock(mutex_);
    if (!worker_threads_.empty()) return;
  }
  Worker & worker = *workers_.front();
  give_ring(worker);
  os::Thread made(thread("takt.w1", options_.plan.workers_high), [&worker] { worker.run(); });
  const os::Lock lock(mutex_);
  workers_have_threads_ = true;
  worker.set_thread(made.tid(), worker.number());
  worker_threads_.push_back(std::move(made));
}

void WorkerPool::start_handler() {
  const os::Lock creation(creation_mutex_);
  {
    const os::Lock lock(mutex_);
    if (!workers_have_threads_ || parked_) return;
    if (handler_thread_.joinable()) return handler_.resume();
    if (!handler_.wanted()) return;
  }
  handler_.begin();
  handler_.resume();
  os::Thread made(thread("takt.handler", options_.plan.handler), [this] { handler_.run(); });
  const os::Lock lock(mutex_);
  handler_thread_ = std::move(made);
}

void WorkerPool::dismiss() noexcept {
  std::vector<os::Thread> workers;
  std::vector<os::Thread> spares;
  os::Thread timer;
  os::Thread handler;
  {
    const os::Lock creation(creation_mutex_);
    const os::Lock lock(mutex_);
    workers.swap(worker_threads_);
    worker_threads_.reserve(workers_.size());
    spares.swap(spare_threads_);
    timer = std::move(timer_thread_);
    handler = std::move(handler_thread_);
    preempts_ = workers_have_threads_ = false;
  }
  // Joined without the lock, which they may still need to finish a change.
  if (timer.joinable()) timer_.quit();
  timer.join();
  for (std::size_t i = 0; i < workers.size(); ++i) workers_[i]->quit();
  {
    const os::Lock lock(mutex_);
    for (std::size_t i = 0; i < spares.size(); ++i) spares_[i]->quit();
  }
  workers.clear();
  spares.clear();
  for (const auto & worker : workers_) worker->no_thread();
  {
    const os::Lock lock(mutex_);
    for (const auto & spare : spares_) spare->no_thread();
  }
  if (handler.joinable()) handler_.stop();
  handler.join();
  assign_levels();
}

void WorkerPool::set_levels(model::Level levels) {
  const os::Lock lock(mutex_);
  if (levels == levels_) return;
  levels_ = levels;
  const auto set = [&](std::vector<os::Thread> & threads, const auto & workers) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      Worker & worker = *workers[i];
      // A worker with a job may have been raised; the others wait for a job of their level.
      if (!worker.has_job()) worker.set_runs_at(worker.level());
      const model::Level level = worker.runs_at();
      if (level > 0) threads[i].set_priority(options_.plan.worker(level, levels));
    }
  };
  set(worker_threads_, workers_);
  set(spare_threads_, spares_);
}

void WorkerPool::run_at(const Worker & worker, model::Level level) {
  const PriorityPlan & plan = options_.plan;
  os::set_fifo(worker.tid(), level == 0 ? plan.background : plan.worker(level, levels_));
}

WorkerCount WorkerPool::workers() const noexcept {
  const os::Lock lock(mutex_);
  return {static_cast<model::Level>(worker_threads_.size()), spare_threads_.size()};
}

void WorkerPool::copy_workers(std::vector<Worker *> & workers) const {
  workers.clear();
  const os::Lock lock(mutex_);
  for (std::size_t i = 0; i < worker_threads_.size(); ++i) workers.push_back(workers_[i].get());
  for (std::size_t i = 0; i < spare_threads_.size(); ++i) workers.push_back(spares_[i].get());
}

std::int64_t WorkerPool::longest_section() const noexcept {
  const os::Lock lock(mutex_);
  std::int64_t longest = 0;
  for (const auto & worker : workers_) longest = std::max(longest, worker->longest_section());
  for (const auto & spare : spares_) longest = std::max(longest, spare->longest_section());
  return longest;
}

std::vector<PlannedThread> WorkerPool::threads() const {
  const os::Lock lock(mutex_);
  std::vector<PlannedThread> threads;
  if (timer_thread_.joinable()) threads.push_back(planned(timer_thread_, ThreadRole::timer));
  for (const auto * workers : {&worker_threads_, &spare_threads_}) {
    for (const os::Thread & thread : *workers) {
      threads.push_back(planned(thread, ThreadRole::worker));
    }
  }
  if (handler_thread_.joinable()) threads.push_back(planned(handler_thread_, ThreadRole::handler));
  return threads;
}

}  // namespace takt::executor
