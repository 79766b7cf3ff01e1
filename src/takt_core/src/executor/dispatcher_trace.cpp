// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that writes to the trace. Under the lock, which makes its holder the
// only writer of the ring.
#include <algorithm>

#include "dispatcher.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

trace::Event event_of(trace::Kind kind, model::Time at, TaskId task,
                      const model::Job & job) noexcept {
  return {.at = at,
          .index = job.index,
          .value = job.release,
          .task = to_number(task),
          .kind = kind,
          .level = static_cast<std::uint8_t>(job.level)};
}

}  // namespace

void Dispatcher::trace_release(void * self, const model::ReleaseNotice & notice) noexcept {
  const auto & dispatcher = *static_cast<Dispatcher *>(self);
  const bool accepted = notice.what == model::Release::accepted;
  // While a job of the highest level runs nobody keeps the time, since a release would have no
  // consequence. Such releases count as noticed when they were due.
  const model::Time unkept_since = dispatcher.timekeeper_.unkept_since();
  const bool kept = dispatcher.single_worker_ != nullptr || unkept_since == model::never;
  const model::Time at = kept
                             ? dispatcher.now_
                             : std::clamp(notice.job.release,
                                          std::min(unkept_since, dispatcher.now_), dispatcher.now_);
  trace::Event event = event_of(accepted ? trace::Kind::release : trace::Kind::skip, at,
                                dispatcher.tasks_.entry(notice.job.task).id, notice.job);
  dispatcher.trace_->push(event);
  if (notice.count == 1) return;
  event.kind = trace::Kind::skips;
  event.index += notice.count - 1;
  event.value += static_cast<std::int64_t>(notice.count - 1) * notice.apart;
  dispatcher.trace_->push(event);
}

void Dispatcher::trace_choice(const model::Decision & decision, const Worker * below) noexcept {
  const model::Job & job = *decision.job;
  const TaskId task = tasks_.entry(job.task).id;
  trace::Event event = event_of(trace::Kind::choice, now_, task, job);
  event.value = below != nullptr ? std::int64_t{to_number(below->job().task)} : -1;
  trace_->push(event);
  if (decision.reader == model::none) return;
  event.kind = trace::Kind::refresh;
  event.value = to_number(tasks_.entry(decision.reader).id);
  trace_->push(event);
}

void Dispatcher::trace_raise(const model::Decision & decision, model::Time now) noexcept {
  const model::Job & job = *decision.job;
  trace::Event event = event_of(trace::Kind::raise, now, tasks_.entry(job.task).id, job);
  event.value = decision.reader != model::none
                    ? std::int64_t{to_number(tasks_.entry(decision.reader).id)}
                    : -1;
  trace_->push(event);
}

void Dispatcher::trace_finish(const Worker & worker, model::Time now, bool late,
                              bool lowered) noexcept {
  const JobInfo & job = worker.job();
  const unsigned flags = (late ? trace::flags::late : 0U) | (lowered ? trace::flags::lowered : 0U);
  trace_->push({.at = now,
                .index = job.index,
                .value = worker.execution(now),
                .task = to_number(job.task),
                .kind = trace::Kind::finish,
                .level = static_cast<std::uint8_t>(worker.level()),
                .flags = static_cast<std::uint8_t>(flags)});
}

void Dispatcher::trace_notice(const model::Miss & miss) noexcept {
  trace::Event event =
      event_of(trace::Kind::miss, miss.noticed, tasks_.entry(miss.job.task).id, miss.job);
  event.value = miss.job.deadline;
  const unsigned flags = (miss.pending ? trace::flags::pending : 0U) |
                         (miss.transition ? trace::flags::transition : 0U);
  event.flags = static_cast<std::uint8_t>(flags);
  trace_->push(event);
}

void Dispatcher::trace_notice(const model::Exhaustion & exhaustion) noexcept {
  trace::Event event = event_of(trace::Kind::exhaustion, exhaustion.noticed,
                                tasks_.entry(exhaustion.job.task).id, exhaustion.job);
  event.value = exhaustion.used;
  event.flags = exhaustion.lowered ? trace::flags::lowered : std::uint8_t{0};
  trace_->push(event);
}

void Dispatcher::trace_lower(const model::Job & job, model::Time now) noexcept {
  trace_->push(event_of(trace::Kind::lower, now, tasks_.entry(job.task).id, job));
}

void Dispatcher::trace_expiry(const Worker & worker, model::Time now) noexcept {
  const JobInfo & job = worker.job();
  trace_->push(
      {.at = now,
       .index = job.index,
       .value = deferred_task_ != TaskId::none ? std::int64_t{to_number(deferred_task_)} : -1,
       .task = to_number(job.task),
       .kind = trace::Kind::expiry,
       .level = static_cast<std::uint8_t>(worker.level())});
}

void Dispatcher::trace_scenario(model::Time now, model::Time asked) noexcept {
  trace_->push({.at = now,
                .index = scheduler_.scenario(),
                .value = asked,
                .task = to_number(tasks_.numbering().first()),
                .kind = trace::Kind::scenario});
}

void Dispatcher::trace_mark(model::Time now, trace::Kind kind, std::uint8_t flags) noexcept {
  trace_->push(
      {.at = now, .task = to_number(tasks_.numbering().first()), .kind = kind, .flags = flags});
}

}  // namespace takt::executor
