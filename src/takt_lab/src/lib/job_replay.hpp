// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <takt_core/model/types.hpp>
#include <utility>
#include <vector>

namespace takt::lab {

/// A recorded job of any task, also of a timer whose period changed during the run, or that existed only for
/// a part of it.
struct RecordedJob {
  std::uint32_t task = 0;
  std::uint32_t group = 0;  ///< jobs of the same group exclude each other
  model::Time release = 0;
  model::Time deadline = 0;
  model::Time finish = 0;  ///< in the recorded run
  model::Duration execution = 0;
};

/// Replays the jobs, which are in the order of release, in virtual time, on the executor's scheduler under
/// `policy`, and returns when the model finishes each of them. Nothing else runs; during the stalls (sorted,
/// disjoint intervals) nothing runs at all. The replay is restarted where the run was idle, so that its
/// memory does not grow with the record. Throws Error.
std::vector<model::Time> replay_jobs(
    const std::vector<RecordedJob> & jobs, const std::string & policy,
    const std::vector<std::pair<model::Time, model::Time>> & stalls);

}  // namespace takt::lab
