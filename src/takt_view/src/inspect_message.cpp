// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "inspect_message.hpp"

namespace takt::view {
namespace {

takt_msgs::msg::ResponseTimes times(const executor::ResponseCounts & counts) {
  takt_msgs::msg::ResponseTimes message;
  message.jobs = counts.jobs;
  message.p50_ns = counts.percentile(0.5);
  message.p99_ns = counts.percentile(0.99);
  message.p999_ns = counts.percentile(0.999);
  message.worst_ns = counts.jobs > 0 ? counts.worst : 0;
  return message;
}

takt_msgs::msg::TaskState state(const tasks::InspectedTask & task) {
  takt_msgs::msg::TaskState message;
  const executor::TaskStatus & status = task.status;
  const model::TaskCounters & counters = status.counters;
  message.id = task.id;
  message.node = task.node;
  message.kind = model::to_string(task.kind);
  message.reads.assign(task.reads.begin(), task.reads.end());
  message.processor = static_cast<std::uint32_t>(task.processor);
  message.group = static_cast<std::uint32_t>(task.group);
  message.exclusive = task.exclusive;
  message.level = status.level;
  message.priority = status.priority;
  message.period_ns = status.period;
  message.deadline_ns = status.deadline == model::never ? -1 : status.deadline;
  message.suspended = status.suspended;
  message.declared = task.declared;
  message.measured = task.measured;
  message.released = counters.released;
  message.skipped = counters.skipped;
  message.finished = counters.finished;
  message.missed = counters.missed;
  message.transition_misses = counters.transition_misses;
  message.overruns = counters.overruns;
  message.exhausted = counters.exhausted;
  message.refreshed = counters.refreshed;
  message.stale_skipped = counters.stale_skipped;
  message.stale_reported = counters.stale_reported;
  message.greatest_age_ns = task.total.greatest_age;
  message.least_margin_ns = task.total.least_margin;
  message.responses = times(task.total);
  message.recent = times(task.recent);
  return message;
}

takt_msgs::msg::ProcessorState state(const tasks::InspectedProcessor & processor) {
  takt_msgs::msg::ProcessorState message;
  message.cpu = processor.cpu;
  message.levels = static_cast<std::uint32_t>(processor.grants.levels);
  message.jobs = processor.statistics.jobs;
  message.deferred = processor.statistics.deferred;
  message.longest_section_ns = processor.statistics.longest_section_ns;
  message.max_section_ns = processor.grants.max_section;
  message.overlong_sections = processor.statistics.overlong_sections;
  message.entity_waits = processor.statistics.entity_waits;
  message.longest_wait_ns = processor.statistics.longest_wait_ns;
  return message;
}

takt_msgs::msg::ThreadState state(const tasks::InspectedThread & thread) {
  takt_msgs::msg::ThreadState message;
  message.tid = thread.info.tid;
  message.name = thread.info.name;
  message.role = thread.role;
  message.policy = os::policy_name(thread.info.policy);
  message.priority = thread.info.priority;
  message.asked = thread.asked;
  message.cpu = thread.info.cpu;
  message.last_cpu = thread.last_cpu;
  message.cpu_time_ns = thread.info.cpu_ns;
  message.longest_run_ns = thread.longest_run ? thread.longest_run->ns : -1;
  message.lost_runs = thread.longest_run ? thread.longest_run->lost : 0;
  return message;
}

}  // namespace

void fill(takt_msgs::srv::Inspect::Response & message, const tasks::Inspection & inspection) {
  const executor::Grants & grants = inspection.grants;
  message.policy = grants.policy;
  message.policy_in_use = grants.policy_in_use;
  message.realtime = grants.realtime;
  message.pinned = grants.pinned;
  message.memory_locked = grants.memory_locked;
  message.refused.assign(grants.refused.begin(), grants.refused.end());
  message.notes.assign(grants.notes.begin(), grants.notes.end());
  message.scenario = inspection.scenario;
  message.scenarios.assign(inspection.scenarios.begin(), inspection.scenarios.end());
  message.blocked_callbacks = inspection.statistics.blocked_callbacks;
  message.exceptions = inspection.statistics.exceptions;
  message.scenario_switches = inspection.statistics.scenario_switches;
  message.nodes.assign(inspection.nodes.begin(), inspection.nodes.end());
  for (const auto & processor : inspection.processors) {
    message.processors.push_back(state(processor));
  }
  for (const tasks::InspectedTask & task : inspection.tasks) message.tasks.push_back(state(task));
  for (const tasks::InspectedThread & thread : inspection.threads)
    message.threads.push_back(state(thread));
  message.watched_ns = inspection.watched;
  message.watch_error = inspection.watch_error;
  message.lock_waits = -1;
  if (const auto & locks = inspection.lock_waits) {
    message.lock_waits = static_cast<std::int64_t>(locks->waits);
    message.longest_lock_wait_ns = locks->longest_ns;
    message.longest_lock_wait_in = locks->where;
    message.longest_lock_held_by = locks->held_by;
  }
}

}  // namespace takt::view
