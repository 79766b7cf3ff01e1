// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <takt_core/model/input.hpp>
#include <takt_core/model/placement.hpp>
#include <vector>

#include "spec.hpp"

namespace takt::lab {

/// The tasks of a spec over processors, as takt would place them: by their WCETs, groups and who
/// refreshes whose data whole, where the spec says so.
class Partition {
 public:
  /// `given`: the processor of each task, whatever the spec says; empty: as above. Throws Error.
  Partition(const Spec & spec, std::size_t processors, const std::vector<std::size_t> & given);

  /// Of each task, and the load of each processor.
  const model::Placement & placement() const noexcept { return placement_; }
  /// The tasks of one processor, ascending.
  std::vector<std::uint32_t> tasks(std::size_t processor) const;
  /// What a task reads and publishes, as its processor knows it: data that comes from another one
  /// cannot be refreshed, and how old it is nobody tells, so it is taken to be young enough.
  model::DataFlow data(std::uint32_t task) const;

 private:
  std::vector<Spec::Task> tasks_;
  std::vector<std::int64_t> producers_;  // by topic: a task, or -1
  model::Placement placement_;
};

}  // namespace takt::lab
