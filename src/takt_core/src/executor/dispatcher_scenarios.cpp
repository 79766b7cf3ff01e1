// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that changes scenarios.
#include <algorithm>
#include <mutex>
#include <utility>

#include "dispatcher.hpp"
#include "takt_core/os/clock.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

// A request is one word. From the lowest: a bit for whether it waits, 13 for which scenario, 50 for
// when, in units that make it last for four years. Never two of the same instant, so that the order
// of requests is that of the words.
constexpr int waits_bits = 1;
constexpr int scenario_bits = 13;
constexpr std::uint64_t scenario_mask = (std::uint64_t{1} << scenario_bits) - 1;

constexpr std::uint64_t instant_of(std::uint64_t request) noexcept {
  return request >> (scenario_bits + waits_bits);
}
constexpr std::uint64_t instant_of_time(model::Time time) noexcept {
  return static_cast<std::uint64_t>(time) /
         static_cast<std::uint64_t>(Processor::request_resolution);
}

}  // namespace

void Dispatcher::request_scenario(model::ScenarioId scenario, model::Time when) noexcept {
  const std::uint64_t which = std::min<std::uint64_t>(scenario, scenario_mask);
  std::uint64_t before = requested_.load();
  std::uint64_t request = 0;
  do {
    std::uint64_t instant = 0;
    if (when == model::never) {
      instant = std::max(instant_of_time(os::now()), instant_of(before) + 1);
    } else if (instant = instant_of_time(when); instant <= instant_of(before)) {
      ++overwritten_;
      return;
    }
    request = (instant << scenario_bits | which) << waits_bits | request_waits;
  } while (!requested_.compare_exchange_weak(before, request));
  if ((before & request_waits) != 0) ++overwritten_;
  look_soon();
}

void Dispatcher::switch_scenario() noexcept {
  const std::uint64_t request = requested_.fetch_and(~request_waits);
  const auto scenario = static_cast<model::ScenarioId>(request >> waits_bits & scenario_mask);
  if (scenario == scheduler_.scenario()) return;
  const model::Time now = now_ = os::now();
  scheduler_.set_scenario(scenario, now);
  if (scenario != scheduler_.scenario()) return;
  ++switches_;
  const auto asked = static_cast<model::Time>(instant_of(request)) * Processor::request_resolution;
  last_switch_ = std::max<model::Duration>(now - asked, 0);
  if (trace_ != nullptr) trace_scenario(now, asked);
  longest_switch_ = std::max(longest_switch_, last_switch_);
}

}  // namespace takt::executor
