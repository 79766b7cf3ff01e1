// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>
#include <utility>
#include <vector>

#include "overseer.hpp"
#include "row_ring.hpp"
#include "rows.hpp"
#include "transports/transport.hpp"

namespace takt::lab {

/// The order in which messages of different sizes are sent: `turn` messages of the first size, as many of the second,
/// and so on, again and again. It depends on the sequence number only, so both ends know it.
class SizeTurns {
 public:
  SizeTurns(std::size_t sizes, std::uint64_t turn) : sizes_(sizes), turn_(turn) {}
  std::uint64_t turn_of(std::uint64_t sequence) const noexcept { return sequence / turn_; }
  std::size_t size_of(std::uint64_t sequence) const noexcept { return turn_of(sequence) % sizes_; }

 private:
  std::size_t sizes_;
  std::uint64_t turn_;
};

/// Notes the CPU time that the process has used whenever another size has its turn. One thread at a time.
class CpuNotes {
 public:
  /// Returns the CPU time in ns.
  using Clock = std::function<model::Duration()>;
  CpuNotes(const SizeTurns & turns, Clock clock, RowRing<CpuRow> & rows)
      : turns_(turns), clock_(std::move(clock)), rows_(rows) {}

  void note(std::uint64_t sequence, model::Time now) {
    const std::uint64_t turn = turns_.turn_of(sequence);
    if (any_ && turn <= turn_) return;
    any_ = true;
    turn_ = turn;
    rows_.push({.turn = turn, .at = now, .cpu = clock_()});
  }

 private:
  const SizeTurns turns_;
  const Clock clock_;
  RowRing<CpuRow> & rows_;
  bool any_ = false;
  std::uint64_t turn_ = 0;
};

/// Sends a message at each instant of the grid until the end of the window, by the party of the size whose turn it is.
/// tick() is called by one thread at a time; nothing here allocates.
class OneWaySender {
 public:
  OneWaySender(model::Duration period, const std::vector<std::uint32_t> & sizes,
               const SizeTurns & turns, RowRing<SentRow> & rows, CpuNotes cpu)
      : period_(period), sizes_(sizes), turns_(turns), rows_(rows), cpu_(std::move(cpu)) {}

  /// To be called before the transport starts, with a party for each size.
  void begin(std::vector<Party *> parties, model::Time t0, const Window & window) {
    parties_ = std::move(parties);
    t0_ = t0;
    window_ = window;
  }

  void tick(std::uint64_t sequence) {
    const model::Time intended = t0_ + static_cast<model::Time>(sequence) * period_;
    if (intended >= window_.to) return;
    const std::size_t size = turns_.size_of(sequence);
    cpu_.note(sequence, os::now());
    const model::Time sent = os::now();
    parties_[size]->send(sequence);
    const model::Time returned = os::now();
    if (intended < window_.from) return;
    rows_.push({.sequence = sequence,
                .bytes = sizes_[size],
                .intended = intended,
                .sent = sent,
                .returned = returned});
  }

 private:
  const model::Duration period_;
  const std::vector<std::uint32_t> sizes_;
  const SizeTurns turns_;
  RowRing<SentRow> & rows_;
  CpuNotes cpu_;
  std::vector<Party *> parties_;
  model::Time t0_ = 0;
  Window window_;
};

/// Records the messages that arrive at the receivers of one process. The handlers of different receivers and sizes may
/// run concurrently; nothing here allocates.
class OneWayReceivers {
 public:
  OneWayReceivers(RowRing<ReceivedRow> & rows, CpuNotes cpu) : rows_(rows), cpu_(std::move(cpu)) {}

  void received(std::size_t receiver, const Message & message) {
    const model::Time now = os::now();
    const os::Lock lock(mutex_);
    cpu_.note(message.sequence, now);
    rows_.push({.sequence = message.sequence,
                .receiver = static_cast<std::int64_t>(receiver),
                .bytes = static_cast<std::int64_t>(message.payload.size()),
                .received = now});
  }

 private:
  os::PiMutex mutex_{os::LockRank::program_data};
  RowRing<ReceivedRow> & rows_ TAKT_GUARDED_BY(mutex_);
  CpuNotes cpu_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::lab
