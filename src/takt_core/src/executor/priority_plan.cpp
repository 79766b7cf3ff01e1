// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/priority_plan.hpp"

#include <algorithm>
#include <stdexcept>

namespace takt::executor {
namespace {

void demand(bool fulfilled, const std::string & line, int value, const std::string & rule) {
  if (!fulfilled) {
    throw std::invalid_argument("priority plan: " + line + " is " + std::to_string(value) +
                                ", but must be " + rule);
  }
}

}  // namespace

int PriorityPlan::worker(std::size_t level, std::size_t levels) const noexcept {
  if (level >= levels) return workers_high;
  // The priority in between is that of the event threads.
  const std::size_t below = std::min(levels - level, max_levels()) + 1;
  return std::max(workers_low, workers_high - static_cast<int>(below));
}

int PriorityPlan::events(bool several) const noexcept {
  return several ? std::min(middleware, workers_high - 1) : middleware;
}

std::size_t PriorityPlan::max_levels() const noexcept {
  const int below_the_highest =
      std::max(workers_high - 1 - workers_low, workers_high > workers_low ? 1 : 0);
  return 1 + static_cast<std::size_t>(below_the_highest);
}

void PriorityPlan::validate() const {
  demand(workers_low >= 1 && workers_low <= 98, "workers_low", workers_low, "from 1 to 98");
  demand(workers_high >= workers_low && workers_high <= 98, "workers_high", workers_high,
         "from workers_low (" + std::to_string(workers_low) + ") to 98");
  demand(timer > workers_high && timer <= 99, "timer", timer,
         "above workers_high (" + std::to_string(workers_high) + ") and at most 99");
  const std::string any = "from 1 to 99, or 0 for no real-time priority";
  demand(middleware >= 0 && middleware <= 99, "middleware", middleware, any);
  demand(handler >= 0 && handler <= 99, "handler", handler, any);
  demand(background >= 0 && background <= 99, "background", background, any);
}

}  // namespace takt::executor
