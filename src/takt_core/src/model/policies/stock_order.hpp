// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// `ros`: the order of ROS 2's stock executor, which takes a snapshot of what is ready and
/// processes it: timers in order of registration (their task number), then subscriptions, services,
/// clients. What becomes ready meanwhile waits for the next snapshot. A snapshot contains one job
/// per callback.
///
/// The number of a job's snapshot is the most significant part of its urgency, so snapshots are
/// processed one after the other. A snapshot is taken when its first job starts; jobs that become
/// ready before that belong to it, later ones to the next.
class StockOrder final : public Policy {
 public:
  std::string_view name() const noexcept override { return "ros"; }
  bool preemptive() const noexcept override { return false; }
  std::int64_t preemption_rank(const Task &) const noexcept override { return 0; }

  Urgency urgency(const Task & task, const Job & job, const ApplicationState &) noexcept override {
    return ((taken_ + 1) << snapshot_bit) | (static_cast<Urgency>(task.kind) << kind_bit) |
           std::min<Urgency>(job.task, last_task);
  }

  void started(const Job & job) noexcept override { taken_ = job.urgency >> snapshot_bit; }

 private:
  // 20 bits for the task, 3 for its kind, 40 for the snapshot: enough for three years at 10 000 per
  // second.
  static constexpr int kind_bit = 20;
  static constexpr int snapshot_bit = 23;
  static constexpr Urgency last_task = (Urgency{1} << kind_bit) - 1;

  Urgency taken_ = 0;  ///< the number of the snapshot being processed
};

}  // namespace takt::model
