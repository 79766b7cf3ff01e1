// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// What tasks publish to and read from, a topic for the front end: any number that readers and
/// producers agree on.
using ChannelId = std::uint32_t;

/// When the newest data that a reader has was published. The one input of a scheduler that comes
/// without the processor's lock: members may be called from any thread, and neither allocate nor
/// block.
class Newest {
 public:
  /// Data of this instant is there. Never makes the newest older.
  void published(Time at) noexcept {
    Time newest = newest_.load(std::memory_order_relaxed);
    while (at > newest && !newest_.compare_exchange_weak(newest, at, std::memory_order_release,
                                                         std::memory_order_relaxed)) {
    }
  }
  /// -never if there is none yet.
  Time at() const noexcept { return newest_.load(std::memory_order_acquire); }

 private:
  std::atomic<Time> newest_{-never};
};

/// What becomes of a job whose input is too old and cannot be refreshed.
enum class OnStale : std::uint8_t {
  report,  ///< it runs, and is told; counted
  skip,    ///< it does not run; counted among the skipped, too
};

/// A channel that a task's jobs read.
struct Input {
  ChannelId channel = 0;
  /// The oldest that its newest data may be when a job starts, above 0; `never` for any age.
  Duration max_age = never;
  OnStale on_stale = OnStale::report;
  /// nullptr: one is made, which Scheduler::published() tells.
  std::shared_ptr<Newest> newest = nullptr;

  friend bool operator==(const Input &, const Input &) = default;
};

/// What a task's jobs read and publish, as far as the age of data matters.
struct DataFlow {
  std::vector<Input> inputs = {};
  std::vector<ChannelId> outputs = {};
  /// The task may be released beyond its timing, to refresh what a reader needs.
  bool extra_releases = false;

  friend bool operator==(const DataFlow &, const DataFlow &) = default;
};

}  // namespace takt::model
