// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that bounds the age of inputs.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "data_age.hpp"
#include "scheduler_state.hpp"
#include "takt_core/model/task_check.hpp"

namespace takt::model {

// ---- set-up

namespace {

bool publishes(const Task & task, ChannelId channel) noexcept {
  const auto & outputs = task.data.outputs;
  return std::find(outputs.begin(), outputs.end(), channel) != outputs.end();
}

}  // namespace

void check_inputs(const std::vector<const Task *> & tasks) {
  enum class Seen : std::uint8_t { no, open, done };
  std::vector<Seen> seen(tasks.size(), Seen::no);
  const std::function<void(TaskId)> visit = [&](TaskId id) {
    if (tasks[id] == nullptr || seen[id] == Seen::done) return;
    if (seen[id] == Seen::open) {
      refuse("task '" + tasks[id]->id +
             "' would be refreshed to refresh itself: drop a max_age of the circle");
    }
    seen[id] = Seen::open;
    for (const Input & input : tasks[id]->data.inputs) {
      if (input.max_age <= 0) {
        refuse("task '" + tasks[id]->id + "': max_age must be above 0, not " +
               std::to_string(input.max_age) + " ns");
      }
      if (input.max_age == never) continue;
      for (TaskId producer = 0; producer < tasks.size(); ++producer) {
        if (tasks[producer] != nullptr && publishes(*tasks[producer], input.channel)) {
          visit(producer);
        }
      }
    }
    seen[id] = Seen::done;
  };
  for (TaskId id = 0; id < tasks.size(); ++id) visit(id);
}

void make_newest(DataFlow & data) {
  for (Input & input : data.inputs) {
    if (input.newest == nullptr) input.newest = std::make_shared<Newest>();
  }
}

void Scheduler::set_age_margin(Duration margin) {
  if (margin < 0) refuse("the margin of ages must not be negative");
  state_->age_margin = margin;
}

// ---- while running

void Scheduler::published(ChannelId channel, Time at) noexcept {
  const SharedArray<Member> & tasks = state_->plan->tasks;
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (tasks[id].planned == nullptr) continue;
    for (const Input & input : tasks[id].planned->task.data.inputs) {
      if (input.channel == channel) input.newest->published(at);
    }
  }
}

Decision Scheduler::State::refresh(const Job & job, Level level, Time now,
                                   Inputs & found) noexcept {
  for (CompiledScenario::AgedInput & input : compiled->inputs[job.task]) {
    const Time newest = input.newest->at();
    found.oldest = std::min(found.oldest, newest);
    found.fresh_until = std::min(found.fresh_until, newest + input.max_age);
    if (newest != -never && now + age_margin - newest <= input.max_age) continue;
    if (input.refreshed_for != job.index + 1) {
      for (const TaskId producer : input.producers) {
        bool begun = false;
        Decision decision = complete(producer, level, now, begun);
        if (decision.kind == Decision::Kind::nothing) continue;
        decision.reader = job.task;
        if (begun) {
          input.refreshed_for = job.index + 1;
          ++records[job.task].refreshed;
          ++ages.refreshed;
        }
        return decision;
      }
    }
    // If several inputs are too old, the stricter consequence applies.
    if (found.stale != OnStale::skip) found.stale = input.on_stale;
  }
  return {};
}

Decision Scheduler::State::complete(TaskId producer, Level level, Time now, bool & begun) noexcept {
  TaskRecord & record = at(producer);
  begun = true;
  if (!record.alive) return {};
  // A job that has used up its budget must not get more of the CPU.
  if (record.lowered) return {};
  if (record.started) return raise(record.jobs.front(), level, now);
  if (record.jobs.empty() && !release_extra(producer, now)) return {};
  if (plan->exclusive(producer)) {
    const GroupId group = plan->task(producer).group;
    const auto keeps_busy = [&](const Job & job) { return plan->task(job.task).group == group; };
    if (Job * job = started.find_if(keeps_busy)) {
      begun = false;
      return raise(*job, level, now);
    }
  }
  Job & job = record.jobs.front();
  if (!record.aged) return start(job, level, now);
  Inputs found;
  const Decision before = refresh(job, level, now, found);
  if (before.kind == Decision::Kind::nothing) return start(job, level, found, now);
  begun = false;
  return before;
}

bool Scheduler::State::release_extra(TaskId id, Time now) noexcept {
  TaskRecord & record = records[id];
  if (!timed(id).data.extra_releases || record.suspended) return false;
  record.extra = true;
  record.watched = record.watched || record.deadline != never;
  // An extra job is not on the grid, whose indices continue.
  const std::uint64_t next =
      std::exchange(record.next_index, first_extra_job + record.extra_releases);
  ++record.extra_releases;
  ++ages.extra_releases;
  const bool accepted = accept(record, id, now);
  record.next_index = next;
  return accepted;
}

Decision Scheduler::State::raise(Job & job, Level level, Time now) noexcept {
  const auto [worker, above] = started.raise(job, level);
  if (budgets.any()) run_top(now);
  return {.kind = Decision::Kind::raise, .job = &job, .worker = worker, .above = above};
}

Decision Scheduler::State::start(Job & job, Level level, const Inputs & found, Time now) noexcept {
  const bool stale = found.stale.has_value();
  if (stale) report_stale(job.task);
  Decision decision = start(job, level, now);
  decision.stale = stale;
  decision.oldest_input = found.oldest;
  decision.fresh_until = found.fresh_until;
  return decision;
}

void Scheduler::State::report_stale(TaskId task) noexcept {
  ++records[task].stale_reported;
  ++ages.stale_reported;
}

void Scheduler::began_stale(TaskId task) noexcept {
  state_->report_stale(task);
}

void Scheduler::State::drop_first() noexcept {
  const Job dropped = ready.front();
  unready(ready.front());
  const TaskId id = dropped.task;
  TaskRecord & record = records[id];
  record.jobs.pop();
  ++record.skipped;
  ++record.stale_skipped;
  ++ages.stale_skipped;
  // As if it had finished, but without counting a miss.
  if (record.noticed > 0) --record.noticed;
  if (record.watched) watch(id);
  if (!record.jobs.empty()) make_ready(record);
  if (observer != nullptr) observer(observer_context, {dropped, Release::skipped});
}

}  // namespace takt::model
