// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "virtual_run.hpp"

namespace takt::model::testing {

/// Checks rules that hold for every job, whatever the policy and scenario and with refreshes: none
/// starts before its release or after it was skipped, and none is started together with another job
/// of its task or exclusive group. Returns a text that names the first violating job; empty if
/// there is none.
inline std::string broken_job_rule(const TaskSet & set, const SimulationResult & result) {
  const auto exclude = [&set](const Job & a, const Job & b) {
    const GroupId group = set.tasks[a.task].group;
    return a.task == b.task ||
           (group != none && group == set.tasks[b.task].group && set.groups[group].exclusive);
  };
  for (const SimulatedJob & a : result.jobs) {
    if (a.start == never) continue;
    const std::string name =
        "job " + std::to_string(a.job.index) + " of task " + std::to_string(a.job.task);
    if (a.skipped) return name + " ran although it was skipped";
    if (a.start < a.job.release) return name + " started before its release";
    for (const SimulatedJob & b : result.jobs) {
      if (&a == &b || b.start == never || !exclude(a.job, b.job)) continue;
      if (a.finish > b.start && b.finish > a.start) {
        return name + " was started together with job " + std::to_string(b.job.index) +
               " of task " + std::to_string(b.job.task);
      }
    }
  }
  return "";
}

}  // namespace takt::model::testing
