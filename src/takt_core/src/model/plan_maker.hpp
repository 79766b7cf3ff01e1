// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>

#include "compiled_plan.hpp"

namespace takt::model {

/// Makes plans from setups. Keeps track of the room in its scheduler, so each scheduler has its
/// own. One thread at a time.
class PlanMaker {
 public:
  /// Makes a plan; the changes in the setup count as planned from now on. Allocates; O(n log n).
  std::unique_ptr<CompiledPlan> make(Setup & setup, const Outlook & outlook, Origins & origins);

 private:
  struct Gathered;
  struct Notices;
  using GridTimer = std::tuple<Duration, Duration, TaskId>;  // phase, period

  static void compile(const Setup & setup, CompiledPlan & plan, std::size_t scenario,
                      Notices & notices);
  static void gather(CompiledPlan & plan, CompiledScenario & made, TaskId id, Gathered & all);
  static void make_levels(const CompiledPlan & plan, CompiledScenario & made, Gathered & all,
                          Level most);
  static void make_inputs(const CompiledPlan & plan, CompiledScenario & made, const Gathered & all);
  static void make_sources(CompiledScenario & made, Gathered & all);
  void make_room(CompiledPlan & plan, const Notices & notices);

  std::size_t tasks_ = 0;  // the number of tasks for which there is room
  std::size_t misses_ = 0;
  std::size_t overruns_ = 0;
};

}  // namespace takt::model
