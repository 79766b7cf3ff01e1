// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "real_time.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <takt_core/executor/thread_roles.hpp>
#include <takt_core/os/threads.hpp>

#include "command_line.hpp"
#include "error.hpp"

namespace takt::lab {
namespace {

using executor::PriorityPlan;

int number_of(const std::string & text, const std::string & line) {
  int value = 0;
  const char * const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 0 || value > 99) {
    throw Error("--plan: '" + line + "' is not a priority; write NAME=NUMBER, from 0 to 99");
  }
  return value;
}

void set_line(PriorityPlan & plan, const std::string & line) {
  const auto equals = line.find('=');
  const std::string name = line.substr(0, equals);
  const int value = number_of(equals == line.npos ? "" : line.substr(equals + 1), line);
  if (name == "timer") {
    plan.timer = value;
  } else if (name == "middleware") {
    plan.middleware = value;
  } else if (name == "handler") {
    plan.handler = value;
  } else if (name == "background") {
    plan.background = value;
  } else if (name != "workers") {
    throw Error("--plan: there is no '" + name +
                "'; the names are timer, middleware, handler, workers and background");
  }
}

}  // namespace

void add_options(CommandLine & line, RealTime & settings) {
  line.flag("--lock-memory", settings.lock_memory, "Lock the memory of the process");
  line.option("--plan", settings.plan,
              "SCHED_FIFO priorities, for example timer=80,middleware=79,workers=77");
  line.option("--inherit", settings.inherit,
              "SCHED_FIFO priority that the middleware's threads inherit from the main thread")
      .within(1, 98);
  line.option("--allocator", settings.allocator,
              "Allocator of operator new: malloc, or tlsf, which takes constant time")
      .one_of({"malloc", "tlsf"})
      .shows_default();
  line.option("--cpu", settings.cpu, "CPU of the whole process").not_negative();
  line.flag("--awake", settings.awake,
            "Keep the used CPUs from idle states, by spinning threads of SCHED_IDLE");
  line.option("--history", settings.history,
              "Number of messages for which the middleware reserves memory");
}

std::optional<PriorityPlan> plan_of(const std::string & text) {
  if (text.empty()) return std::nullopt;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line, ',');) lines.push_back(line);
  PriorityPlan plan;
  for (const std::string & line : lines) {
    if (!line.starts_with("workers=")) continue;
    const int shift = number_of(line.substr(8), line) - plan.workers_high;
    plan.timer += shift;
    plan.middleware += shift;
    plan.handler += shift;
    plan.workers_high += shift;
    // The lowest priority of the workers must not exceed the highest.
    plan.workers_low = std::max(1, std::min(plan.workers_low, plan.workers_high));
  }
  for (const std::string & line : lines) set_line(plan, line);
  try {
    plan.validate();
  } catch (const std::invalid_argument & error) {
    throw Error(std::string("--plan: ") + error.what());
  }
  return plan;
}

PriorityPlan inherited_plan(int priority) {
  PriorityPlan plan;
  plan.workers_high = plan.middleware = plan.background = priority;
  plan.workers_low = std::min(plan.workers_low, priority);
  plan.timer = plan.handler = priority + 1;
  return plan;
}

nlohmann::ordered_json to_json(const RealTime & settings) {
  return {
      {"lock_memory", settings.lock_memory}, {"plan", settings.plan}, {"inherit", settings.inherit},
      {"allocator", settings.allocator},     {"cpu", settings.cpu},   {"awake", settings.awake},
      {"history", settings.history}};
}

nlohmann::ordered_json to_json(const os::Granted & granted) {
  return {{"asked", granted.asked}, {"granted", granted.granted}, {"error", granted.error}};
}

nlohmann::ordered_json threads_json() {
  auto list = nlohmann::ordered_json::array();
  for (const os::ThreadInfo & thread : os::threads_of_process()) {
    list.push_back({{"name", thread.name},
                    {"tid", thread.tid},
                    {"role", executor::to_string(executor::thread_role(thread))},
                    {"policy", os::policy_name(thread.policy)},
                    {"priority", thread.priority},
                    {"cpu", thread.cpu},
                    {"cpu_ns", thread.cpu_ns}});
  }
  return list;
}

}  // namespace takt::lab
