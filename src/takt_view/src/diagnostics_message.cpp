// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "diagnostics_message.hpp"

#include <cstdint>
#include <diagnostic_msgs/msg/diagnostic_status.hpp>
#include <utility>

#include "takt_core/tasks/decimal.hpp"

namespace takt::view {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;

std::string milliseconds(model::Duration length) {
  if (length == model::never) return "none";
  return tasks::decimal(static_cast<double>(length) / 1e6, 3);
}

void add(DiagnosticStatus & status, const std::string & key, const std::string & value) {
  auto & pair = status.values.emplace_back();
  pair.key = key;
  pair.value = value;
}
void add(DiagnosticStatus & status, const std::string & key, std::uint64_t value) {
  add(status, key, std::to_string(value));
}

/// Adds a text to the status, whose level becomes the highest of all texts.
void say(DiagnosticStatus & status, std::uint8_t level, const std::string & what) {
  if (level > status.level) status.level = level;
  status.message += (status.message.empty() ? "" : "; ") + what;
}
void say_if(DiagnosticStatus & status, std::uint8_t level, std::uint64_t count, const char * what) {
  if (count > 0) say(status, level, what + (": " + std::to_string(count)));
}
void settle(DiagnosticStatus & status) {
  if (status.message.empty()) status.message = "OK";
}

void add_responses(DiagnosticStatus & status, const std::string & when,
                   const executor::ResponseCounts & counts) {
  add(status, "jobs" + when, counts.jobs);
  if (counts.jobs == 0) return;
  add(status, "response p50" + when + " (ms)", milliseconds(counts.percentile(0.5)));
  add(status, "response p99" + when + " (ms)", milliseconds(counts.percentile(0.99)));
  add(status, "response p99.9" + when + " (ms)", milliseconds(counts.percentile(0.999)));
  add(status, "response worst" + when + " (ms)", milliseconds(counts.worst));
}

DiagnosticStatus status_of(const tasks::InspectedTask & task, const model::TaskCounters & before) {
  DiagnosticStatus status;
  const model::TaskCounters & now = task.status.counters;
  const std::uint64_t transition = now.transition_misses - before.transition_misses;
  // A skipped release counts as a miss, but there is no late job.
  say_if(status, DiagnosticStatus::ERROR, now.missed - before.missed - transition, "late jobs");
  say_if(status, DiagnosticStatus::ERROR, now.skipped - before.skipped, "skipped releases");
  say_if(status, DiagnosticStatus::WARN, transition, "late by a change of scenario");
  say_if(status, DiagnosticStatus::WARN, now.overruns - before.overruns, "overruns");
  say_if(status, DiagnosticStatus::WARN, now.exhausted - before.exhausted, "budgets used up");
  say_if(status, DiagnosticStatus::WARN, now.stale_reported - before.stale_reported,
         "ran on old data");
  settle(status);
  add(status, "late jobs", now.missed);
  add(status, "late by a change of scenario", now.transition_misses);
  add(status, "skipped releases", now.skipped);
  add(status, "overruns", now.overruns);
  add(status, "budgets used up", now.exhausted);
  add(status, "refreshed inputs", now.refreshed);
  add(status, "skipped for old data", now.stale_skipped);
  add(status, "ran on old data", now.stale_reported);
  if (task.total.greatest_age >= 0) {
    add(status, "greatest data age (ms)", milliseconds(task.total.greatest_age));
  }
  add(status, "deadline (ms)", milliseconds(task.status.deadline));
  add(status, "least margin (ms)", milliseconds(task.total.least_margin));
  add_responses(status, "", task.total);
  add_responses(status, " recent", task.recent);
  return status;
}

std::string cpus(const tasks::Inspection & inspection) {
  std::string list;
  for (const tasks::InspectedProcessor & processor : inspection.processors) {
    list += (list.empty() ? "" : ",") + std::to_string(processor.cpu);
  }
  return list;
}

DiagnosticStatus status_of(const tasks::Inspection & inspection,
                           const executor::Statistics & before) {
  DiagnosticStatus status;
  const executor::Grants & grants = inspection.grants;
  const executor::Statistics & now = inspection.statistics;
  say_if(status, DiagnosticStatus::ERROR, now.exceptions - before.exceptions, "exceptions");
  say_if(status, DiagnosticStatus::WARN, now.blocked_callbacks - before.blocked_callbacks,
         "callbacks blocked");
  for (const std::string & line : grants.refused) {
    // Only the first part, what was refused; the reason and the remedy are among the values.
    say(status, DiagnosticStatus::WARN, line.substr(0, line.find(": ")));
  }
  settle(status);
  add(status, "CPUs", cpus(inspection));
  add(status, "policy", grants.policy);
  add(status, "policy in use", grants.policy_in_use);
  add(status, "scenario", inspection.scenario);
  add(status, "scenario switches", now.scenario_switches);
  add(status, "longest scenario switch (ms)", milliseconds(now.longest_switch_ns));
  add(status, "tasks", inspection.tasks.size());
  add(status, "jobs", now.jobs);
  add(status, "overruns", now.loads.overruns);
  add(status, "budgets used up", now.loads.exhausted);
  add(status, "longest middleware section (ms)", milliseconds(now.longest_section_ns));
  add(status, "starts put off by middleware sections", now.deferred);
  add(status, "middleware sections above max_section", now.overlong_sections);
  add(status, "waits for an entity in use", now.entity_waits);
  add(status, "longest wait for an entity in use (ms)", milliseconds(now.longest_wait_ns));
  if (const auto & locks = inspection.lock_waits) {
    add(status, "waits for mutexes", locks->waits);
    add(status, "longest wait for a mutex (ms)", milliseconds(locks->longest_ns));
    add(status, "longest wait for a mutex in", locks->where);
    add(status, "mutex held meanwhile by", locks->held_by);
  }
  add(status, "callbacks blocked", now.blocked_callbacks);
  add(status, "exceptions", now.exceptions);
  add(status, "real-time priorities", grants.realtime ? "yes" : "no");
  add(status, "pinned", grants.pinned ? "yes" : "no");
  add(status, "memory locked", grants.memory_locked ? "yes" : "no");
  for (const std::string & line : grants.refused) add(status, "not granted", line);
  return status;
}

}  // namespace

diagnostic_msgs::msg::DiagnosticArray DiagnosticsMessage::make(const tasks::Inspection & inspection,
                                                               const std::string & node,
                                                               const std::string & host) {
  diagnostic_msgs::msg::DiagnosticArray message;
  const auto put = [&](DiagnosticStatus status, const std::string & what) {
    status.name = node + ": " + what;
    status.hardware_id = host;
    message.status.push_back(std::move(status));
  };
  put(status_of(inspection, before_), "executor");
  std::map<std::string, model::TaskCounters> tasks;
  for (const tasks::InspectedTask & task : inspection.tasks) {
    const model::TaskCounters & now = task.status.counters;
    model::TaskCounters before;
    // The counters of a task that moved to another processor begin at 0 again.
    const auto found = tasks_before_.find(task.id);
    if (found != tasks_before_.end() && found->second.released <= now.released) {
      before = found->second;
    }
    tasks.emplace(task.id, now);
    // Tasks without timing that never had a job, such as a node's built-in services, are left out.
    const bool timed = task.status.period > 0 || task.status.deadline != model::never;
    if (timed || now.released > 0) put(status_of(task, before), task.id);
  }
  before_ = inspection.statistics;
  tasks_before_ = std::move(tasks);
  return message;
}

}  // namespace takt::view
