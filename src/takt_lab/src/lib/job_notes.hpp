// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt/job.hpp>
#include <utility>

#include "callback_meter.hpp"
#include "record.hpp"

namespace takt::lab {

/// What the jobs of one task write down of themselves, with the clocks they read for it. Called by
/// whichever thread runs the job, one job at a time; nothing allocates or blocks.
class JobNotes {
 public:
  explicit JobNotes(TaskRecord record) : record_(std::move(record)) {}

  /// At the begin of the callback. Returns the CPU clock of its thread.
  model::Time begin(const JobInfo & job) noexcept;
  /// See TaskRecord.
  void read(std::size_t place, std::int64_t sequence, std::int64_t published) noexcept {
    record_.read(place, sequence, published);
  }
  /// When publish has returned.
  void published(std::size_t place, std::int64_t sequence, model::Time stamp) noexcept;
  /// At the end of the callback. `began`: what begin() returned.
  void finish(model::Time began) noexcept;

  TaskRecord & record() noexcept { return record_; }
  const CallbackMeter & meter() const noexcept { return meter_; }
  /// Where its jobs ran: each looks twice, at its begin and its end.
  struct Places {
    int cpu = -1;                 ///< of the first look
    std::uint64_t elsewhere = 0;  ///< looks that found another
  };
  const Places & places() const noexcept { return places_; }

 private:
  void note_cpu() noexcept;

  CallbackMeter meter_;
  TaskRecord record_;
  Places places_;
};

}  // namespace takt::lab
