// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <takt_core/tasks/scheduling_strategy.hpp>
#include <vector>

#include "soak_node.hpp"

namespace takt::lab::soak {

/// What a process outside reads.
constexpr const char * panorama = "panorama";

/// What is kept busy.
struct Application {
  std::string policy;
  /// The first one is the most urgent, and the same in all scenarios.
  std::vector<SoakTask> tasks;
  SchedulingStrategy::SharedPtr strategy;
  bool read_outside = false;  ///< by a process of its own
};

/// A node that comes and goes.
const SoakTask & guest_task();

extern const std::array<std::string, 3> scenario_names;

/// By name: full has many tasks at a high utilisation, urgent one of 1 kHz and what could keep it from
/// its CPU.
extern const std::map<std::string, Application (*)()> applications;

}  // namespace takt::lab::soak
