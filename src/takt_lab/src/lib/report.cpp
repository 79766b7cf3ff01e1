// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <takt_core/os/throttling.hpp>

namespace takt::lab {
namespace {

using Json = nlohmann::ordered_json;

/// The executor's watchdog thread, which counts as class `executor` although it runs no jobs.
constexpr std::string_view watchdog = "takt.watchdog";

bool is_of_executor(std::string_view name) noexcept {
  return name.starts_with("floor.") || name == "takt.timer" || name == "takt.handler" ||
         name == watchdog || name.starts_with("takt.w");
}

bool is_takts(std::string_view name) noexcept {
  return name.starts_with("takt.") || name.starts_with("lab.");
}

bool contains(const std::vector<int> & threads, const ThreadUse & thread) noexcept {
  return std::find(threads.begin(), threads.end(), thread.tid) != threads.end();
}

bool is_earlier(const ThreadUse & thread, const ThreadFacts & facts) noexcept {
  return contains(facts.earlier, thread);
}

int asked(const ThreadUse & thread, const ThreadFacts & facts) noexcept {
  const auto planned = std::find_if(facts.planned.begin(), facts.planned.end(),
                                    [&](const auto & plan) { return plan.tid == thread.tid; });
  if (planned != facts.planned.end()) return planned->asked;
  // The lab's middleware profile makes this an ordinary thread.
  if (thread.name.starts_with("dds.asyn")) return 0;
  // takt's own threads set their priorities; all others inherit that of their parent.
  return is_takts(thread.name) || is_earlier(thread, facts) ? 0 : facts.inherited;
}

Json to_json(const executor::PlannedThread & thread) {
  return {{"name", thread.name},   {"tid", thread.tid},         {"role", thread.role},
          {"asked", thread.asked}, {"granted", thread.granted}, {"cpu", thread.cpu},
          {"error", thread.error}};
}

}  // namespace

const char * to_string(ThreadClass thread_class) noexcept {
  switch (thread_class) {
    case ThreadClass::executor:
      return "executor";
    case ThreadClass::middleware:
      return "middleware";
    case ThreadClass::other:
      break;
  }
  return "other";
}

ThreadClass class_of(const ThreadUse & thread, const ThreadFacts & facts) noexcept {
  if (thread.tid == facts.main_tid) {
    return facts.main_executes ? ThreadClass::executor : ThreadClass::other;
  }
  const std::string_view name = thread.name;
  if (is_of_executor(name)) return ThreadClass::executor;
  if (!facts.before_spin.empty() && !contains(facts.before_spin, thread) && !is_takts(name)) {
    return ThreadClass::executor;
  }
  // All other threads were started by the middleware; some of them have no name of their own.
  return is_takts(name) || is_earlier(thread, facts) ? ThreadClass::other : ThreadClass::middleware;
}

Json cpu_json(const CpuWindow & cpu, const ThreadFacts & facts, model::Duration reading) {
  Json threads = Json::array();
  model::Duration executor = 0;
  model::Duration middleware = 0;
  for (const ThreadUse & thread : cpu.threads()) {
    const ThreadClass thread_class = class_of(thread, facts);
    if (thread_class == ThreadClass::executor) executor += thread.cpu;
    if (thread_class == ThreadClass::middleware) middleware += thread.cpu;
    threads.push_back({{"name", thread.name},
                       {"tid", thread.tid},
                       {"class", to_string(thread_class)},
                       {"asked", asked(thread, facts)},
                       {"granted", thread.priority},
                       {"cpu", thread.pinned},
                       {"cpu_ns", thread.cpu}});
  }
  const model::Duration other = std::max<model::Duration>(cpu.process() - executor - middleware, 0);
  return {{"process_cpu_ns", cpu.process()},
          {"cpu_ns", {{"executor", executor}, {"middleware", middleware}, {"other", other}}},
          {"cpu_window", {{"from", cpu.opened()}, {"to", cpu.closed()}, {"reading_ns", reading}}},
          {"threads", std::move(threads)}};
}

Json to_json(const Calibration & calibration) {
  return {{"steps_per_ns", calibration.steps_per_ns},
          {"spread", calibration.spread},
          {"chunk_ns", calibration.chunk},
          {"thread_cpu_clock_ns", calibration.thread_cpu_ns},
          {"clock_ns", calibration.clock_ns}};
}

Json to_json(const executor::Grants & grants) {
  Json threads = Json::array();
  for (const auto & thread : grants.threads) threads.push_back(to_json(thread));
  return {{"policy", grants.policy},
          {"policy_in_use", grants.policy_in_use},
          {"realtime", grants.realtime},
          {"cpu", grants.cpu},
          {"pinned", grants.pinned},
          {"memory_locked", grants.memory_locked},
          {"levels", grants.levels},
          {"merged_levels", grants.merged_levels},
          {"max_section_ns", grants.max_section},
          {"kept_heap_bytes", grants.kept_heap},
          {"threads", std::move(threads)},
          {"refused", grants.refused},
          {"notes", grants.notes}};
}

Json to_json(const executor::Statistics & statistics) {
  return {{"jobs", statistics.jobs},
          {"decisions", statistics.decisions},
          {"deferred", statistics.deferred},
          {"longest_section_ns", statistics.longest_section_ns},
          {"overlong_sections", statistics.overlong_sections},
          {"entity_waits", statistics.entity_waits},
          {"longest_wait_ns", statistics.longest_wait_ns},
          {"blocked_callbacks", statistics.blocked_callbacks},
          {"unreturned_callbacks", statistics.unreturned_callbacks},
          {"exceptions", statistics.exceptions},
          {"unreported", statistics.unreported},
          {"reranked", statistics.reranked},
          {"scenario_switches", statistics.scenario_switches},
          {"scenario_requests_overwritten", statistics.scenario_requests_overwritten},
          {"longest_switch_ns", statistics.longest_switch_ns},
          {"crossings", statistics.crossings},
          {"longest_lock_wait_ns", statistics.longest_lock_wait_ns},
          {"longest_lock_hold_ns", statistics.longest_lock_hold_ns}};
}

Json to_json(const Window & window) {
  return {{"from", window.from}, {"to", window.to}};
}

Json versions_json() {
  const char * distribution = std::getenv("ROS_DISTRO");
#ifdef NDEBUG
  const bool assertions = false;
#else
  const bool assertions = true;
#endif
  return {{"ros", distribution == nullptr ? "" : distribution},
          {"compiler", __VERSION__},
          {"assertions", assertions}};
}

executor::Grants plain_grants(const std::string & policy, const os::Granted & priority, int cpu,
                              const os::Granted & memory) {
  executor::Grants grants;
  grants.policy = policy;
  grants.policy_in_use = policy;
  grants.realtime = priority.granted > 0;
  grants.cpu = cpu;
  grants.pinned = true;
  grants.memory_locked = memory.granted != 0;
  grants.levels = 1;
  for (const os::Granted & granted : {priority, memory}) {
    if (!granted.ok()) grants.refused.push_back(granted.error);
  }
  for (const std::string & note : {os::realtime_throttling(), os::fair_server(cpu)}) {
    if (!note.empty()) grants.notes.push_back(note);
  }
  return grants;
}

}  // namespace takt::lab
