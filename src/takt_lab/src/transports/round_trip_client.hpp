// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>

#include "overseer.hpp"
#include "row_ring.hpp"
#include "rows.hpp"
#include "transports/transport.hpp"

namespace takt::lab {

/// The client of Gutierrez et al. (2018): it sends a message at each instant of the grid at which none is in
/// transit, until the end of the window. A message that is not back after the time-out is lost. Messages of
/// the window become rows. Handlers may run concurrently; nothing here allocates.
class RoundTripClient {
 public:
  RoundTripClient(model::Duration period, model::Duration timeout, RowRing<TripRow> & rows)
      : period_(period), timeout_(timeout), rows_(rows) {}

  /// To be called before the transport starts.
  void begin(Party & party, model::Time t0, const Window & window) {
    party_ = &party;
    t0_ = t0;
    window_ = window;
  }

  void tick(std::uint64_t index) {
    const model::Time intended = t0_ + static_cast<model::Time>(index) * period_;
    std::uint64_t sequence = 0;
    {
      const os::Lock lock(mutex_);
      const model::Time now = os::now();
      if (in_transit_ && now - trip_.sent < timeout_) return;
      if (in_transit_) finish(0);
      if (intended >= window_.to) return;
      sequence = trip_.sequence + 1;
      trip_ = {.sequence = sequence, .intended = intended, .sent = now};
      in_transit_ = true;
    }
    party_->send(sequence);
  }

  void received(const Message & message) {
    const model::Time now = os::now();
    const os::Lock lock(mutex_);
    if (in_transit_ && message.sequence == trip_.sequence) {
      finish(now);
    } else {
      ++strays_;
    }
  }

  /// Returns whether the last message is back or lost, that is, past its time-out.
  bool over(model::Time now) {
    const os::Lock lock(mutex_);
    if (in_transit_ && now - trip_.sent >= timeout_) finish(0);
    return !in_transit_;
  }
  /// The number of messages that came back too late, or twice.
  std::uint64_t strays() const {
    const os::Lock lock(mutex_);
    return strays_;
  }

 private:
  void finish(model::Time received) TAKT_REQUIRES(mutex_) {
    trip_.received = received;
    in_transit_ = false;
    if (trip_.intended >= window_.from) rows_.push(trip_);
  }

  const model::Duration period_;
  const model::Duration timeout_;
  RowRing<TripRow> & rows_;
  Party * party_ = nullptr;
  model::Time t0_ = 0;
  Window window_;
  mutable os::PiMutex mutex_{os::LockRank::program_data};
  TripRow trip_ TAKT_GUARDED_BY(mutex_);
  bool in_transit_ TAKT_GUARDED_BY(mutex_) = false;
  std::uint64_t strays_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt::lab
