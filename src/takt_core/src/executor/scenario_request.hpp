// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/model/scenario.hpp"
#include "takt_core/model/types.hpp"

namespace takt::executor {

/// The scenario that was asked for last. One word, so that asking takes no lock: any thread may ask,
/// one at a time takes what was asked for.
class ScenarioRequest {
 public:
  /// `when`: the instant of the request, an earlier one does not overwrite a later one; model::never:
  /// `now`. False if it was too early.
  bool ask(model::ScenarioId scenario, model::Time when, model::Time now) noexcept;
  /// It has been asked for and not taken.
  bool waits() const noexcept { return (word_.load(std::memory_order_relaxed) & waits_bit) != 0; }
  struct Asked {
    model::ScenarioId scenario;
    model::Time when;
  };
  Asked take() noexcept;
  /// Requests that another one came before.
  std::uint64_t overwritten() const noexcept { return overwritten_.load(); }

 private:
  static constexpr std::uint64_t waits_bit = 1;

  std::atomic<std::uint64_t> word_{0};  // when, which, and whether it waits
  std::atomic<std::uint64_t> overwritten_{0};
};

}  // namespace takt::executor
