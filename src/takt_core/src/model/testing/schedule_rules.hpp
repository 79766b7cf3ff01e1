// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "takt_core/model/job.hpp"
#include "takt_core/model/task.hpp"

namespace takt::model::testing {

/// The rules of a policy, written independently of the policies' code.
struct ScheduleRules {
  bool preemptive = false;
  bool work_conserving = true;
  /// The order is that of the stock executor; `key` is unused.
  bool snapshots = false;
  /// The job with the smaller number goes first.
  std::function<std::int64_t(const Task &, const Job &)> key;
  /// The task with the larger number may preempt.
  std::function<std::int64_t(const Task &)> rank;
};

inline ScheduleRules rules_of(const std::string & policy) {
  ScheduleRules rules;
  rules.preemptive = policy.rfind("np-", 0) != 0 && policy != "fifo" && policy != "ros";
  const std::string order = policy.rfind("np-", 0) == 0 ? policy.substr(3) : policy;
  if (order == "fp") {
    rules.key = [](const Task & task, const Job &) { return 98 - task.priority; };
    rules.rank = [](const Task & task) { return task.priority; };
  } else if (order == "rm") {
    const auto period = [](const Task & task) { return task.period == 0 ? never : task.period; };
    rules.key = [period](const Task & task, const Job &) { return period(task); };
    rules.rank = [period](const Task & task) { return -period(task); };
  } else if (order == "dm") {
    rules.key = [](const Task & task, const Job &) { return task.deadline; };
    rules.rank = [](const Task & task) { return -task.deadline; };
  } else if (order == "edf") {
    rules.key = [](const Task & task, const Job & job) {
      return task.deadline == never ? never : job.release + task.deadline;
    };
    rules.rank = [](const Task & task) { return -task.deadline; };
  } else if (order == "fifo") {
    rules.key = [](const Task &, const Job & job) { return job.release; };
  } else if (order == "ros") {
    rules.snapshots = true;
  } else {
    throw std::invalid_argument("no rules for policy " + policy);
  }
  return rules;
}

}  // namespace takt::model::testing
