// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/time.hpp"
#include "takt_core/model/task.hpp"

namespace takt::detail {

/// Copies the budget and the reaction to its exhaustion from a callback's options to its task.
template <typename Options>
void set_budget(model::Task & task, const Options & options) {
  if (options.budget != Duration::zero()) task.budget = options.budget.count();
  task.on_budget = options.on_budget;
}

}  // namespace takt::detail
