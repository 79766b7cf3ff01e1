// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt {

/// Tells publishers apart, inside one context.
using Gid = std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>;

namespace detail {

inline Gid gid_of(const rmw_gid_t & gid) noexcept {
  Gid result{};
  std::copy_n(gid.data, result.size(), result.begin());
  return result;
}

}  // namespace detail

/// What is known of a message beside its content. Plain data: copying allocates nothing.
struct MessageInfo {
  /// CLOCK_REALTIME in ns when it was published, by the publisher's host. Between hosts it is as
  /// good as their clocks agree. Messages from inside and outside are delivered in its order.
  std::int64_t source_timestamp = 0;
  /// CLOCK_REALTIME in ns when it was received; inside the process when it was published.
  std::int64_t received_timestamp = 0;
  /// CLOCK_MONOTONIC in ns when it was published inside this process, -1 if that was elsewhere.
  model::Time published = -1;
  /// Counts the messages of its publisher, inside the process those that it published while somebody
  /// inside read; of different origin inside and outside.
  std::uint64_t publication_sequence_number = 0;
  Gid publisher_gid{};
  bool from_intra_process = false;
};

}  // namespace takt
