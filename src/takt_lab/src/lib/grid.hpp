// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <takt_core/model/types.hpp>

namespace takt::lab {

/// The release grid of one task: the instants t0 + phase + k * period within [t0, t0 + length).
class TaskGrid {
 public:
  /// `phase` >= 0, `period` > 0, `length` >= 0, all in ns.
  TaskGrid(model::Duration phase, model::Duration period, model::Duration length) noexcept
      : phase_(phase),
        period_(period),
        count_(phase < length ? static_cast<std::uint64_t>((length - phase - 1) / period) + 1 : 0) {
  }

  std::uint64_t count() const noexcept { return count_; }
  /// Returns the instant of release k relative to t0, in ns.
  model::Duration release(std::uint64_t k) const noexcept {
    return phase_ + static_cast<model::Duration>(k) * period_;
  }
  model::Duration period() const noexcept { return period_; }

 private:
  model::Duration phase_;
  model::Duration period_;
  std::uint64_t count_;
};

}  // namespace takt::lab
