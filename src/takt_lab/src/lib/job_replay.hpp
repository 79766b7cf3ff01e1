// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <takt_core/model/types.hpp>
#include <utility>
#include <vector>

namespace takt::lab {

/// A job that was recorded, whatever released it: a timer whose period changed meanwhile, or one
/// that came and went.
struct RecordedJob {
  std::uint32_t task = 0;
  std::uint32_t group = 0;  ///< jobs of one group exclude each other
  model::Time release = 0;
  model::Time deadline = 0;
  model::Time finish = 0;  ///< in the run
  model::Duration execution = 0;
};

/// When the model finishes each of the jobs, in their order, which is that of their releases: on
/// the scheduler that the executor runs on, under `policy`, with nothing but these jobs and the
/// stalls (sorted, disjoint), in which nothing runs. Where the run was idle it begins anew, so that
/// its memory does not grow with the record. Throws Error.
std::vector<model::Time> replay_jobs(
    const std::vector<RecordedJob> & jobs, const std::string & policy,
    const std::vector<std::pair<model::Time, model::Time>> & stalls);

}  // namespace takt::lab
