// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <takt_core/model/types.hpp>
#include <utility>
#include <vector>

#include "rows.hpp"
#include "spec.hpp"

namespace takt::lab {

/// The execution times of a recorded run. For jobs that did not finish or are not in the record, those of
/// the spec are used.
class Replay {
 public:
  /// Without a record: every job takes the time that the spec says, and t0 is 0. `spec` must outlive the
  /// object.
  explicit Replay(const Spec & spec);

  /// Takes the execution times from a record of the same spec; `where` names it in errors. Throws Error if a
  /// row belongs to no task of the spec, or its release is not on the spec's grid.
  void take(std::span<const JobRow> rows, const std::string & where);

  /// The beginning of the grid, as derived from the rows.
  model::Time t0() const noexcept { return t0_; }
  /// Returns the execution time of a job, in ns. `task` is the index in the spec.
  model::Duration execution(std::uint32_t task, std::uint64_t index) const noexcept;

 private:
  const Spec & spec_;
  std::vector<Spec::Task> tasks_;
  std::vector<std::vector<model::Duration>> times_;  ///< -1: not known
  std::vector<std::vector<model::Duration>> extra_;  ///< the same for extra jobs
  model::Time t0_ = 0;
};

/// Returns the stalls of one CPU, or of all CPUs if none is given, as sorted and disjoint intervals.
std::vector<std::pair<model::Time, model::Time>> disjoint(std::vector<StallRow> rows,
                                                          std::optional<int> cpu = std::nullopt);

}  // namespace takt::lab
