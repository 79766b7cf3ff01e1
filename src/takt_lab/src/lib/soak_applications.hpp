// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <takt_core/tasks/scheduling_strategy.hpp>
#include <vector>

#include "soak_node.hpp"

namespace takt::lab::soak {

/// The topic that another process reads.
constexpr const char * panorama = "panorama";

/// An application of the soak test.
struct Application {
  std::string policy;
  /// The first task is the most urgent one, and the same in all scenarios.
  std::vector<SoakTask> tasks;
  SchedulingStrategy::SharedPtr strategy;
  bool read_outside = false;  ///< whether another process reads the topic `panorama`
};

/// The task of the node that is added and removed repeatedly.
const SoakTask & guest_task();

extern const std::array<std::string, 3> scenario_names;

/// The applications by name. `full` has many tasks at a high utilisation; `urgent` has a 1 kHz task and
/// others that could delay it.
extern const std::map<std::string, Application (*)()> applications;

}  // namespace takt::lab::soak
