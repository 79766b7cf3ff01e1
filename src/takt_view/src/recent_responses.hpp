// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// What tasks' jobs have done since the period began, and in the one before. One thread at a time.
class RecentResponses {
 public:
  /// Counts for the tasks, which are all there are; `recent` is the last whole period.
  void fill(tasks::Inspection & inspection) const;
  /// The same, and with this instant a period ends.
  void end_period(tasks::Inspection & inspection);

 private:
  struct Period {
    executor::ResponseCounts before;  ///< when the current one began
    executor::ResponseCounts last;    ///< during the one before that
  };
  using Key = std::shared_ptr<const executor::Responses>;
  std::map<Key, Period> periods_;
};

}  // namespace takt::view
