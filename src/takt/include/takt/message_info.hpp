// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt {

/// Identifies a publisher within one context.
using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;

namespace detail {

inline Gid gid_of(const rmw_gid_t & gid) noexcept {
  Gid result{};
  std::copy_n(gid.data, result.size(), result.begin());
  return result;
}

}  // namespace detail

/// Metadata of a received message. Plain data: copying allocates nothing.
struct MessageInfo {
  /// Instant of publication: CLOCK_REALTIME of the publisher's host, in ns. Between hosts, it is only as
  /// accurate as their clocks are synchronised. Messages from inside and outside the process are
  /// delivered in the order of this timestamp.
  std::int64_t source_timestamp = 0;
  /// Instant of reception, CLOCK_REALTIME in ns. For a message from inside the process: its publication.
  std::int64_t received_timestamp = 0;
  /// Instant of publication, CLOCK_MONOTONIC in ns, if that was inside this process; otherwise -1.
  model::Time published = -1;
  /// Sequence number of the message at its publisher. Inside the process, only messages published while
  /// the publisher has a matching reader inside are counted, so the numbers of messages from inside
  /// and from outside are not comparable.
  std::uint64_t publication_sequence_number = 0;
  Gid publisher_gid{};
  bool from_intra_process = false;  ///< whether it came through the exchange inside the process
};

}  // namespace takt
