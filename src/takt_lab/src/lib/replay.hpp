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

/// The execution times of a run that was recorded, with what the spec says for each job that did not
/// finish or is not in the record.
class Replay {
 public:
  /// Nothing recorded: every job takes what the spec says, and t0 is 0. The spec must outlive this.
  explicit Replay(const Spec & spec);

  /// Takes over a record of the same spec; `where` names it in errors. Throws Error if a row is of
  /// no task of the spec, or its release is not on the spec's grid.
  void take(std::span<const JobRow> rows, const std::string & where);

  /// The start of the grid, as the rows have it.
  model::Time t0() const noexcept { return t0_; }
  /// Of a task by its index in the spec.
  model::Duration execution(std::uint32_t task, std::uint64_t index) const noexcept;

 private:
  const Spec & spec_;
  std::vector<Spec::Task> tasks_;
  std::vector<std::vector<model::Duration>> times_;  ///< -1: not known
  std::vector<std::vector<model::Duration>> extra_;  ///< likewise, of extra jobs
  model::Time t0_ = 0;
};

/// The stalls of one CPU as intervals, sorted and disjoint; `cpu` none: of all.
std::vector<std::pair<model::Time, model::Time>> disjoint(std::vector<StallRow> rows,
                                                          std::optional<int> cpu = std::nullopt);

}  // namespace takt::lab
