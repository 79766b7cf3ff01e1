// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>
#include <vector>

#include "overseer.hpp"
#include "row_ring.hpp"
#include "rows.hpp"
#include "transports/transport.hpp"

namespace takt::lab {

/// The record of a controller that sends a request in each cycle. There is one row for each cycle of the
/// window that began, in order, written when its response would be too late. Requests have the number of
/// the cycle. Handlers may run concurrently; only the constructor allocates.
class CycleTable {
 public:
  CycleTable(model::Duration period, model::Duration timeout, RowRing<CycleRow> & rows)
      : period_(period),
        slots_(std::bit_ceil(static_cast<std::size_t>(timeout / period + 2))),
        rows_(rows) {}

  /// To be called before the transport starts.
  void begin(Party & party, model::Time t0, const Window & window) {
    party_ = &party;
    t0_ = t0;
    window_ = window;
  }

  void tick(std::uint64_t cycle) {
    const model::Time start = os::now();
    const model::Time ideal = t0_ + static_cast<model::Time>(cycle) * period_;
    if (ideal >= window_.to) return;
    {
      const os::Lock lock(mutex_);
      flush(cycle >= slots_.size() ? cycle - slots_.size() + 1 : 0);
      Slot & slot = slots_[cycle & (slots_.size() - 1)];
      slot.used = true;
      slot.row = {.cycle = cycle, .ideal = ideal, .start = start, .request_sent = os::now()};
    }
    party_->send(cycle);
  }
  void response(std::uint64_t cycle, model::Time received) {
    change(cycle, [received](CycleRow & row) { row.response_received = received; });
  }
  /// Records the instants of the responder, if it is in this process.
  void answered(std::uint64_t cycle, model::Time received, model::Time sent) {
    change(cycle, [&](CycleRow & row) {
      row.request_received = received;
      row.response_sent = sent;
    });
  }
  /// Writes the rows of all remaining cycles. To be called when no messages arrive any more.
  void end() {
    const os::Lock lock(mutex_);
    flush(next_ + slots_.size());
  }

 private:
  struct Slot {
    bool used = false;
    CycleRow row;
  };

  /// Writes the rows of all remaining cycles below `cycle`.
  void flush(std::uint64_t cycle) TAKT_REQUIRES(mutex_) {
    if (cycle > next_ + slots_.size()) next_ = cycle - slots_.size();
    for (; next_ < cycle; ++next_) {
      Slot & slot = slots_[next_ & (slots_.size() - 1)];
      if (!slot.used) continue;
      slot.used = false;
      if (slot.row.ideal >= window_.from) rows_.push(slot.row);
    }
  }
  template <typename Change>
  void change(std::uint64_t cycle, Change change_row) {
    const os::Lock lock(mutex_);
    Slot & slot = slots_[cycle & (slots_.size() - 1)];
    if (slot.used && slot.row.cycle == cycle) change_row(slot.row);
  }

  const model::Duration period_;
  os::PiMutex mutex_{os::LockRank::program_data};
  std::vector<Slot> slots_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t next_ TAKT_GUARDED_BY(mutex_) = 0;  ///< first cycle whose row has not been written
  RowRing<CycleRow> & rows_;
  Party * party_ = nullptr;
  model::Time t0_ = 0;
  Window window_;
};

}  // namespace takt::lab
