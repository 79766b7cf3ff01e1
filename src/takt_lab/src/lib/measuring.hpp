// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

namespace takt::lab {

/// The cost of recording a job: the CPU time of the calling thread, averaged over `calls` consecutive
/// calls, for each of `repeats` repetitions.
struct Measuring {
  static constexpr std::size_t calls = 100;
  static constexpr std::size_t repeats = 100;
  std::vector<double> ns_per_call;
};

/// Measures the cost by recording jobs that read one topic and publish on one, as JobNotes does in a run, but
/// in separate memory, no row of which has been used before. Allocates.
Measuring measure_measuring();

nlohmann::ordered_json to_json(const Measuring & measuring);

}  // namespace takt::lab
