// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace takt::model::testing {

/// A random seed, which is printed; or that of TAKT_SEED, to repeat a run.
inline std::uint64_t random_seed() {
  const char * given = std::getenv("TAKT_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::cout << "repeat with TAKT_SEED=" << seed << "\n";
  return seed;
}

}  // namespace takt::model::testing
