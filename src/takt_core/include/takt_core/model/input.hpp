// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Index of a channel: what tasks publish to and read from. A topic, for the front end.
using ChannelId = std::uint32_t;

/// What becomes of a job whose input is too old and cannot be refreshed.
enum class OnStale : std::uint8_t {
  report,  ///< it runs, and is told; counted
  skip,    ///< it does not run; counted among the skipped, too
};

/// A channel that a task's jobs read.
struct Input {
  ChannelId channel = none;
  /// The oldest that its newest data may be when a job starts, above 0; `never` for any age.
  Duration max_age = never;
  OnStale on_stale = OnStale::report;
};

}  // namespace takt::model
