// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "recent_responses.hpp"

#include <utility>

namespace takt::view {

void RecentResponses::fill(tasks::Inspection & inspection) const {
  for (tasks::InspectedTask & task : inspection.tasks) {
    if (task.status.responses == nullptr) continue;
    task.total = task.status.responses->read();
    const auto found = periods_.find(task.status.responses);
    if (found != periods_.end()) task.recent = found->second.last;
  }
}

void RecentResponses::end_period(tasks::Inspection & inspection) {
  std::map<Key, Period> periods;  // of the tasks that exist now
  for (tasks::InspectedTask & task : inspection.tasks) {
    if (task.status.responses == nullptr) continue;
    task.total = task.status.responses->read();
    const auto found = periods_.find(task.status.responses);
    const bool first = found == periods_.end();
    task.recent = first ? task.total : task.total.since(found->second.before);
    periods.emplace(task.status.responses, Period{task.total, task.recent});
  }
  periods_ = std::move(periods);
}

}  // namespace takt::view
