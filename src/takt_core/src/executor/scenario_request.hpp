// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/model/scenario.hpp"
#include "takt_core/model/types.hpp"

namespace takt::executor {

/// The last scenario requested and not yet active. It is one atomic word, so a request takes no
/// lock: any thread may request, one thread at a time takes the request.
class ScenarioRequest {
 public:
  /// Requests a scenario. `when`: the instant of the request, model::never for `now`; an earlier
  /// request does not replace a later one. False if it was too early.
  bool ask(model::ScenarioId scenario, model::Time when, model::Time now) noexcept;
  /// Whether there is a request that has not been taken.
  bool waits() const noexcept { return (word_.load(std::memory_order_relaxed) & waits_bit) != 0; }
  struct Asked {
    model::ScenarioId scenario;
    model::Time when;
  };
  Asked take() noexcept;
  /// The number of requests that were replaced by others before they were taken.
  std::uint64_t overwritten() const noexcept { return overwritten_.load(); }

 private:
  static constexpr std::uint64_t waits_bit = 1;

  std::atomic<std::uint64_t> word_{0};  // instant, scenario, and whether it waits to be taken
  std::atomic<std::uint64_t> overwritten_{0};
};

}  // namespace takt::executor
