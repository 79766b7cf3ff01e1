// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt/job.hpp>
#include <utility>

#include "callback_meter.hpp"
#include "record.hpp"

namespace takt::lab {

/// Records the jobs of one task, and reads the necessary clocks. Used on the thread that runs the job, one
/// job at a time; nothing allocates or blocks.
class JobNotes {
 public:
  explicit JobNotes(TaskRecord record) : record_(std::move(record)) {}

  /// To be called at the beginning of the callback. Returns the value of the thread's CPU clock.
  model::Time begin(const JobInfo & job) noexcept;
  /// See TaskRecord::read().
  void read(std::size_t place, std::int64_t sequence, std::int64_t published) noexcept {
    record_.read(place, sequence, published);
  }
  /// To be called when publish() has returned.
  void published(std::size_t place, std::int64_t sequence, model::Time stamp) noexcept;
  /// To be called at the end of the callback. `began` is the value that begin() returned.
  void finish(model::Time began) noexcept;

  TaskRecord & record() noexcept { return record_; }
  const CallbackMeter & meter() const noexcept { return meter_; }
  /// On which CPU the jobs ran. Each job checks twice, at its beginning and its end.
  struct Places {
    int cpu = -1;                 ///< the CPU of the first check
    std::uint64_t elsewhere = 0;  ///< number of checks that found another CPU
  };
  const Places & places() const noexcept { return places_; }

 private:
  void note_cpu() noexcept;

  CallbackMeter meter_;
  TaskRecord record_;
  Places places_;
};

}  // namespace takt::lab
