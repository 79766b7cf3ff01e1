// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace takt::lab::testing {

inline nlohmann::json callback(const std::string & name, long long period_ms, long long wcet_us,
                               int priority, const std::vector<int> & reads,
                               const std::vector<int> & publishes) {
  return {{"name", name},
          {"period_ns", period_ms * 1'000'000},
          {"phase_ns", 0},
          {"deadline_ns", period_ms * 1'000'000},
          {"priority", priority},
          {"wcet_ns", wcet_us * 1'000},
          {"queue", 0},
          {"reads", reads},
          {"max_age_ns", std::vector<int>(reads.size(), 0)},
          {"on_stale", nullptr},
          {"extra_releases", false},
          {"budget_ns", 0},
          {"on_budget", "report"},
          {"publishes", publishes}};
}

/// Returns a spec with a low utilisation: three nodes in a chain, of which the first one has two callbacks,
/// and an external topic.
inline nlohmann::json example_spec() {
  nlohmann::json late = callback("late", 30, 100, 10, {}, {});
  late["phase_ns"] = 7'000'000;
  return {{"schema_version", 1},
          {"name", "example"},
          {"policy", "fp"},
          {"qos", {{"reliability", "reliable"}, {"depth", 4}}},
          {"topics",
           {{{"name", "a"}, {"size", 20'000}, {"external", false}},
            {{"name", "b"}, {"size", 0}, {"external", false}},
            {{"name", "from_outside"}, {"size", 10}, {"external", true}}}},
          {"nodes",
           {{{"name", "sensor"},
             {"group", "exclusive"},
             {"callbacks", {callback("sample", 10, 300, 98, {}, {0}), late}}},
            {{"name", "filter"},
             {"group", "reentrant"},
             {"callbacks", {callback("update", 20, 500, 97, {0}, {1})}}},
            {{"name", "planner"},
             {"group", "exclusive"},
             {"callbacks", {callback("plan", 40, 1'000, 96, {0, 1, 2}, {})}}}}}};
}

}  // namespace takt::lab::testing
