// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"

#include <array>
#include <takt_core/os/clock.hpp>

#include "job_notes.hpp"

namespace takt::lab {

Measuring measure_measuring() {
  constexpr std::array<std::uint32_t, 1> topic = {0};
  constexpr auto jobs = static_cast<model::Duration>(Measuring::calls * Measuring::repeats);
  JobNotes notes(TaskRecord(0, TaskGrid(0, 1, jobs), topic, topic));
  Measuring measuring;
  measuring.ns_per_call.reserve(Measuring::repeats);
  JobInfo job;
  for (std::size_t repeat = 0; repeat < Measuring::repeats; ++repeat) {
    const model::Time before = os::thread_cpu();
    for (std::size_t call = 0; call < Measuring::calls; ++call) {
      const auto sequence = static_cast<std::int64_t>(job.index);
      const model::Time began = notes.begin(job);
      notes.read(0, sequence, job.start);
      notes.published(0, sequence, os::now());
      notes.finish(began);
      ++job.index;
    }
    const auto used = static_cast<double>(os::thread_cpu() - before);
    measuring.ns_per_call.push_back(used / static_cast<double>(Measuring::calls));
  }
  return measuring;
}

nlohmann::ordered_json to_json(const Measuring & measuring) {
  return {{"calls", Measuring::calls},
          {"repeats", Measuring::repeats},
          {"reads", 1},
          {"publishes", 1},
          {"ns_per_call", measuring.ns_per_call}};
}

}  // namespace takt::lab
