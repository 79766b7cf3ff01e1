// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

namespace takt::lab {

/// What it costs a job to write down what it did: CPU time of the calling thread, on average over
/// `calls` calls in a row, again and again.
struct Measuring {
  static constexpr std::size_t calls = 100;
  static constexpr std::size_t repeats = 100;
  std::vector<double> ns_per_call;
};

/// Makes the notes of jobs that read one topic and publish on one, as JobNotes does in a run, but in
/// storage of their own, no row of which has been used before. Allocates.
Measuring measure_measuring();

nlohmann::ordered_json to_json(const Measuring & measuring);

}  // namespace takt::lab
