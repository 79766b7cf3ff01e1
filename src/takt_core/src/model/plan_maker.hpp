// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "compiled_plan.hpp"

namespace takt::model {

/// Compiles setups. Keeps how much room there is; one for each scheduler, one thread at a time.
class PlanMaker {
 public:
  /// What is new in the setup counts as told from now on. Allocates; O(n log n).
  std::unique_ptr<CompiledPlan> make(Setup & setup, const Outlook & outlook, Origins & origins);

 private:
  void compile(const Setup & setup, CompiledPlan & plan, CompiledScenario & made) const;
  void make_levels(const Setup & setup, const CompiledPlan & plan, CompiledScenario & made) const;
  void make_inputs(const CompiledPlan & plan, CompiledScenario & made) const;
  void make_sources(const CompiledPlan & plan, CompiledScenario & made) const;
  void make_room(CompiledPlan & plan);

  std::size_t tasks_ = 0;  // for which there is room
  std::size_t misses_ = 0;
  std::size_t overruns_ = 0;
};

}  // namespace takt::model
