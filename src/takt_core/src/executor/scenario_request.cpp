// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "scenario_request.hpp"

#include <algorithm>

#include "takt_core/executor/processor.hpp"

namespace takt::executor {
namespace {

// From the lowest bit: 1 bit for "waits to be taken", 13 for the scenario, 50 for the instant, in
// units that make it last for four years. No two requests have the same instant, so the order of
// the words is the order of the requests.
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

bool ScenarioRequest::ask(model::ScenarioId scenario, model::Time when, model::Time now) noexcept {
  const std::uint64_t which = std::min<std::uint64_t>(scenario, scenario_mask);
  std::uint64_t before = word_.load();
  std::uint64_t request = 0;
  do {
    std::uint64_t instant = 0;
    if (when == model::never) {
      instant = std::max(instant_of_time(now), instant_of(before) + 1);
    } else if (instant = instant_of_time(when); instant <= instant_of(before)) {
      ++overwritten_;
      return false;
    }
    request = (instant << scenario_bits | which) << waits_bits | waits_bit;
  } while (!word_.compare_exchange_weak(before, request));
  if ((before & waits_bit) != 0) ++overwritten_;
  return true;
}

ScenarioRequest::Asked ScenarioRequest::take() noexcept {
  const std::uint64_t request = word_.fetch_and(~waits_bit);
  return {static_cast<model::ScenarioId>(request >> waits_bits & scenario_mask),
          static_cast<model::Time>(instant_of(request)) * Processor::request_resolution};
}

}  // namespace takt::executor
