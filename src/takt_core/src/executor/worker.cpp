// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "dispatcher.hpp"
#include "faults.hpp"
#include "middleware_waits.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local Worker * current_worker = nullptr;

}  // namespace

Worker::Worker(model::Level number, Processor & processor, Dispatcher & dispatcher, Faults & faults,
               MiddlewareWaits & waits)
    : number_(number),
      level_(0),
      processor_(processor),
      dispatcher_(dispatcher),
      faults_(faults),
      waits_(waits),
      runs_at_(0) {}

Worker * Worker::current() noexcept {
  return current_worker;
}

void Worker::quit() noexcept {
  quit_.store(true, std::memory_order_release);
  event_.post();
}

// Member by member: copying a whole structure that was just written in parts would stall on store
// forwarding.
void Worker::give(const TaskTable::Entry & task, const model::Decision & decision,
                  model::Duration took) noexcept {
  const model::Job & job = *decision.job;
  job_.task = task.id;
  job_.index = job.index;
  job_.release = job.release;
  job_.deadline = job.deadline;
  job_.decision = took;
  job_.oldest_input = decision.oldest_input;
  job_.stale = decision.stale;
  fresh_until_ = decision.stale ? model::never : decision.fresh_until;
  set_start(not_begun);
  invoke_ = task.invoke;
  context_ = task.context;
  budgeted_ = decision.budgeted;
  if (budgeted_) cpu_began_.store(not_begun, std::memory_order_relaxed);
  has_job_.store(true, std::memory_order_release);
}

// The job below this one has been waiting since this one covered it; from now on it waits for the
// job that was above, which waits for this one.
void Worker::raised(Worker & above, model::Time now) noexcept {
  const model::Time waited_since = above.covers_since();
  const model::Time covered_since = covers_since();
  if (waited_since != not_begun) preempted(waited_since, now);
  if (covered_since != not_begun) {
    above.covers_since_ = covered_since;
  } else if (waited_since == not_begun) {
    above.covers_since_ = now;
  }
  covers_since_ = now;
}

// 0 if the job has not had the CPU yet.
model::Duration Worker::cpu_used() const noexcept {
  const os::Time began = cpu_began_.load(std::memory_order_relaxed);
  return began == not_begun ? 0 : os::thread_cpu_of(tid()) - began;
}

// ---- its thread -----------------------------------------------------------------------------

void Worker::begin() noexcept {
  current_worker = this;
  checks_blocking_ = false;
  unexplained_ = os::unexplained_switches();
}

void Worker::run() {
  begin();
  Dispatcher::Next next{false, 0};
  while (!quit_.load(std::memory_order_acquire)) {
    if (!wait_for_job(next.until)) continue;
    do {
      execute();
      next = dispatcher_.finish(*this);
    } while (next.job);
  }
}

bool Worker::wait_for_job(model::Time & until) noexcept {
  event_.wait_until(until);
  if (!has_job()) {
    const bool keeps = dispatcher_.keeps_time(*this);
    const Dispatcher::Next next = keeps ? dispatcher_.keep_time(this) : Dispatcher::Next{};
    until = next.until;
    if (!next.job) return false;
    if (!dispatcher_.must_park(*this, until)) return true;
    dispatcher_.delay_start(*this);
    event_.wait_until(until);
  }
  while (dispatcher_.must_park(*this, until)) event_.wait_until(until);
  set_start(os::now());
  return true;
}

void Worker::execute() noexcept {
  begun_.store(begun_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  running_.store(job_.task, std::memory_order_relaxed);
  if (blocking_check_.asked.load(std::memory_order_relaxed)) begin_blocking_check();
  if (budgeted_) cpu_began_.store(os::thread_cpu(), std::memory_order_relaxed);
  if (began_stale()) job_.stale = true;
  if (trace_ != nullptr) trace_start();
  if (checks_blocking_) {
    call_and_check();
  } else {
    call();
  }
  running_.store(TaskId::none, std::memory_order_relaxed);
}

void Worker::trace_start() noexcept {
  trace_->push({.at = job_.start,
                .index = job_.index,
                .value = job_.deadline,
                .task = to_number(job_.task),
                .kind = trace::Kind::start,
                .level = static_cast<std::uint8_t>(number_),
                .flags = job_.stale ? trace::flags::stale : std::uint8_t{0}});
}

void Worker::trace_wait(const Entity & entity, TaskId user, model::Time began,
                        model::Time now) noexcept {
  trace_->push({.at = now, .value = began, .task = to_number(user), .kind = trace::Kind::wait});
  // The name itself: entities have no numbers, and defining one could block here.
  std::string_view rest = *entity.name();
  while (!rest.empty()) {
    std::array<char, trace::name_bytes> bytes{};
    const std::size_t count = rest.copy(bytes.data(), bytes.size());
    trace::Event part{
        .at = now, .task = static_cast<std::uint32_t>(count), .kind = trace::Kind::name};
    std::memcpy(&part.index, bytes.data(), sizeof part.index);
    std::memcpy(&part.value, bytes.data() + sizeof part.index, sizeof part.value);
    trace_->push(part);
    rest.remove_prefix(count);
  }
}

void Worker::call() noexcept {
  try {
    invoke_(context_, job_);
  } catch (...) {
    faults_.caught(job_.task);
  }
}

const JobInfo * Worker::running_job() const noexcept {
  return running_.load(std::memory_order_relaxed) != TaskId::none ? &job_ : nullptr;
}

void Worker::tell_running(char * text, std::size_t size) noexcept {
  const Worker * const worker = current();
  const TaskId task =
      worker != nullptr ? worker->running_.load(std::memory_order_relaxed) : TaskId::none;
  if (task == TaskId::none) return;
  std::snprintf(text, size, "callback '%s'", worker->dispatcher_.name_of_running(task));
}

// ---- sections -------------------------------------------------------------------------------

void Worker::use(Entity & entity) noexcept {
  if (!entity.try_use()) {
    const TaskId user = entity.user();
    const model::Time began = os::now();
    entity.use();
    const model::Time now = os::now();
    waits_.waited({MiddlewareWaits::Kind::entity, job_.task, user, entity.name(), now - began});
    if (trace_ != nullptr) trace_wait(entity, user, began, now);
  }
  entity.set_user(job_.task);
}

// Acquires the entity first: while this job waits for it, no other job must wait for this one.
void Worker::enter_section(Entity * entity) noexcept {
  const std::uint32_t depth = sections_.load(std::memory_order_relaxed);
  sections_.store(depth + 1, std::memory_order_relaxed);
  if (depth == 0 && checks_blocking_) in_sections_ -= os::unexplained_switches();
  if (entity != nullptr) use(*entity);
  if (depth > 0) return;
  entity_ = entity;
  deferred_task_.store(TaskId::none, std::memory_order_relaxed);
  section_began_ = os::now();
  holds_back_since_.store(-section_began_, std::memory_order_relaxed);
  // A job in the background must hurry, as other jobs wait for its section from now on. Checked
  // again afterwards, as the job may be lowered in between.
  const bool lowered = lowered_.load(std::memory_order_relaxed);
  if (lowered) dispatcher_.hurry(*this);
  dispatcher_.enter_section();
  // From now on, as the section is in the gate, another thread may make it expire.
  holds_back_since_.store(section_began_, std::memory_order_relaxed);
  if (!lowered && lowered_.load(std::memory_order_seq_cst)) dispatcher_.hurry(*this);
}

void Worker::leave_section() noexcept {
  const std::uint32_t depth = sections_.load(std::memory_order_relaxed) - 1;
  sections_.store(depth, std::memory_order_relaxed);
  if (depth > 0) return;
  if (checks_blocking_) in_sections_ += os::unexplained_switches();
  const model::Time now = os::now();
  const model::Duration length = now - section_began_;
  if (trace_ != nullptr) {
    trace_->push({.at = now, .value = section_began_, .kind = trace::Kind::section});
  }
  if (length > longest_section_.load(std::memory_order_relaxed)) {
    longest_section_.store(length, std::memory_order_relaxed);
  }
  // A thread that made the section expire has left the gate in its place.
  if (holds_back_since_.exchange(no_section, std::memory_order_acq_rel) != no_section) {
    dispatcher_.leave_section();
  }
  if (lowered_.load(std::memory_order_seq_cst)) dispatcher_.hurry(*this);
  if (length > waits_.bound()) {
    waits_.overran({MiddlewareWaits::Kind::section, job_.task,
                    deferred_task_.load(std::memory_order_relaxed),
                    entity_ != nullptr ? entity_->name() : nullptr, length});
  }
}

// ---- blocked callbacks ----------------------------------------------------------------------

// At first one system call tells whether there was any unexplained switch; if so, every job is
// checked until the watchdog's next request.
void Worker::begin_blocking_check() noexcept {
  blocking_check_.asked.store(false, std::memory_order_relaxed);
  const std::int64_t unexplained = os::unexplained_switches();
  checks_blocking_ = unexplained > std::exchange(unexplained_, unexplained);
}

void Worker::call_and_check() noexcept {
  in_sections_ = 0;
  const std::int64_t before = os::unexplained_switches();
  call();
  if (os::unexplained_switches() - before > in_sections_) {
    blocking_check_.blocked.store(job_.task, std::memory_order_release);
  }
}

}  // namespace takt::executor
