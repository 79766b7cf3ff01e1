// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <takt_core/model/input.hpp>
#include <takt_core/model/placement.hpp>
#include <vector>

#include "spec.hpp"

namespace takt::lab {

/// The assignment of a spec's tasks to processors, as takt would place them: where the spec says, else by
/// their WCETs, with groups, and tasks that refresh each other's data, on one processor.
class Partition {
 public:
  /// `given` is the processor of each task, and overrides the spec; empty: as described above. Throws Error.
  Partition(const Spec & spec, std::size_t processors, const std::vector<std::size_t> & given);

  /// The processor of each task, and the utilisation of each processor.
  const model::Placement & placement() const noexcept { return placement_; }
  /// Returns the tasks of one processor, in ascending order.
  std::vector<std::uint32_t> tasks(std::size_t processor) const;
  /// Returns the topics that a task reads and publishes, as its processor knows them. Data from another
  /// processor cannot be refreshed and its age is not simulated, so it is assumed to be young enough.
  model::DataFlow data(std::uint32_t task) const;

 private:
  std::vector<Spec::Task> tasks_;
  std::vector<std::int64_t> producers_;  // for each topic, the task that publishes it, or -1
  model::Placement placement_;
};

}  // namespace takt::lab
