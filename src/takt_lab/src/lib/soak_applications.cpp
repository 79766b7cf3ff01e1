// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "soak_applications.hpp"

#include <memory>
#include <takt_core/model/types.hpp>
#include <takt_core/tasks/duration.hpp>

namespace takt::lab::soak {
namespace {

constexpr model::Duration us = 1'000;
constexpr model::Duration ms = 1'000'000;
constexpr model::Duration second = 1'000 * ms;

}  // namespace

const SoakTask & guest_task() {
  static const SoakTask guest = {.name = "guest",
                                 .period = 40 * ms,
                                 .wcet = 2'400 * us,
                                 .reads = "tick",
                                 .publishes = "visit"};
  return guest;
}

const std::array<std::string, 3> scenario_names = {"calm", "brisk", "guard"};

namespace {

/// Returns a strategy of scenarios with the same utilisation, by other tasks or at other rates. `rates` maps
/// tasks to their (halved or doubled) periods in the second scenario.
SchedulingStrategy::SharedPtr strategy(const std::map<std::string, model::Duration> & rates) {
  const auto all = std::make_shared<SchedulingStrategy>();
  SchedulingScenario calm(scenario_names[0]);
  calm.set_task("night", {.suspended = true});
  SchedulingScenario brisk(scenario_names[1]);
  brisk.set_task("night", {.suspended = true});
  for (const auto & [task, period] : rates)
    brisk.set_task(task, {.period = takt::Duration(period)});
  SchedulingScenario guard(scenario_names[2]);
  guard.set_task("day", {.suspended = true});
  for (const SchedulingScenario & scenario : {calm, brisk, guard}) all->add_scenario(scenario);
  all->set_default_scenario(scenario_names[0]);
  return all;
}

/// An application of many tasks: the utilisation is 0.86 in each scenario, and 0.06 for the guest node, which
/// exists most of the time.
Application full() {
  return {
      .policy = "edf",
      .tasks =
          {{.name = "metronome", .period = 10 * ms, .wcet = 200 * us, .publishes = "tick"},
           {.name = "swift", .period = 10 * ms, .wcet = 400 * us, .reads = "tick"},
           {.name = "steady_1", .period = 40 * ms, .wcet = 400 * us},
           {.name = "steady_2", .period = 40 * ms, .wcet = 400 * us},
           {.name = "camera", .period = 20 * ms, .wcet = 1'600 * us, .publishes = "image"},
           {.name = "detector",
            .period = 40 * ms,
            .wcet = 2'400 * us,
            .reads = "image",
            .publishes = "objects"},
           {.name = "tracker",
            .period = 20 * ms,
            .wcet = 1'400 * us,
            .reads = "objects",
            .publishes = "tracks"},
           {.name = "planner",
            .period = 40 * ms,
            .wcet = 2'400 * us,
            .reads = "tracks",
            .publishes = "plan"},
           {.name = "control", .period = 20 * ms, .wcet = 1'200 * us, .reads = "plan"},
           {.name = "arm", .period = 20 * ms, .phase = 5 * ms, .wcet = 1'200 * us, .reads = "plan"},
           {.name = "lidar", .period = 40 * ms, .wcet = 2'400 * us, .publishes = "scan"},
           {.name = "mapper",
            .period = 80 * ms,
            .wcet = 4'000 * us,
            .reads = "scan",
            .publishes = "map"},
           {.name = "localiser",
            .period = 40 * ms,
            .phase = 10 * ms,
            .wcet = 2'000 * us,
            .reads = "scan"},
           {.name = "logger", .period = 160 * ms, .wcet = 4'800 * us, .reads = "map"},
           {.name = "health", .period = 80 * ms, .wcet = 2'400 * us},
           {.name = "battery", .period = 160 * ms, .wcet = 9'600 * us},
           {.name = "speech", .period = 80 * ms, .phase = 20 * ms, .wcet = 4'000 * us},
           {.name = "day", .period = 40 * ms, .wcet = 2'400 * us, .reads = "image"},
           {.name = "night", .period = 20 * ms, .wcet = 1'200 * us, .reads = "image"}},
      .strategy = strategy({{"swift", 20 * ms}, {"steady_1", 20 * ms}, {"steady_2", 20 * ms}}),
  };
}

/// An application with a most urgent task of 1 kHz, which has the shortest deadline, and with tasks that could
/// delay it: one that computes for 0.5 s, one that sends 4 MiB to another process, and nodes that are added
/// and removed. The utilisation is 0.48, and 0.06 for the guest node: so the job of 0.5 s ends within 1 s,
/// after which a host would throttle real-time threads.
Application urgent() {
  return {
      .policy = "dm",
      .tasks = {{.name = "pulse", .period = 1 * ms, .wcet = 50 * us},
                {.name = "control", .period = 10 * ms, .wcet = 500 * us, .publishes = "tick"},
                {.name = "swift", .period = 20 * ms, .wcet = 400 * us, .reads = "tick"},
                {.name = "steady", .period = 40 * ms, .wcet = 400 * us},
                {.name = "camera", .period = 40 * ms, .wcet = 2'000 * us, .publishes = "image"},
                {.name = "day", .period = 40 * ms, .wcet = 1'200 * us, .reads = "image"},
                {.name = "night", .period = 20 * ms, .wcet = 600 * us, .reads = "image"},
                {.name = "map_out",
                 .period = 250 * ms,
                 .wcet = 1 * ms,
                 .publishes = panorama,
                 .bytes = 4 << 20},
                {.name = "archive", .period = 2 * second, .wcet = 500 * ms}},
      .strategy = strategy({{"swift", 40 * ms}, {"steady", 20 * ms}}),
      .read_outside = true,
  };
}

}  // namespace

const std::map<std::string, Application (*)()> applications = {{"full", full}, {"urgent", urgent}};

}  // namespace takt::lab::soak
