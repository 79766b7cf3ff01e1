// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// The response times of each task's jobs in the current and in the previous diagnostics period. One
/// thread at a time.
class RecentResponses {
 public:
  /// Fills in `recent`, the response times of the last complete period, for all tasks of the inspection.
  void fill(tasks::Inspection & inspection) const;
  /// Ends the current period and does the same.
  void end_period(tasks::Inspection & inspection);

 private:
  struct Period {
    executor::ResponseCounts before;  ///< totals at the beginning of the current period
    executor::ResponseCounts last;    ///< counts of the previous period
  };
  using Key = std::shared_ptr<const executor::Responses>;
  std::map<Key, Period> periods_;
};

}  // namespace takt::view
