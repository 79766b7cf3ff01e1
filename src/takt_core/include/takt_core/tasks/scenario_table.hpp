// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "takt_core/model/scenario.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::tasks {

/// The numbers of an executor's scenarios. A name keeps its number for ever, so that a number need
/// not be looked up again. Thread-safe.
class ScenarioTable {
 public:
  /// The names in order of their numbers, from 1, as set() with these names would make them; empty
  /// for a number whose name is not among them. Throws Error for too many names. Allocates.
  std::vector<std::string> numbered(const std::vector<std::string> & names) const;
  /// Makes these the present scenarios. Throws as numbered(); allocates.
  void set(const std::vector<std::string> & names);
  /// The number of a scenario. Throws Error with a list of the names if there is none; allocates
  /// only then.
  model::ScenarioId number(std::string_view name) const;
  /// The name of a scenario, present or not; empty if the number was never given. Allocates.
  std::string name(model::ScenarioId number) const;
  /// Whether a scenario of this number is among the present ones.
  bool present(model::ScenarioId number) const;
  /// The names of the present scenarios, in order of their numbers. Allocates.
  std::vector<std::string> names() const;

 private:
  struct Known {
    std::string name;
    bool present = false;
  };
  std::vector<Known> with(const std::vector<std::string> & names) const TAKT_REQUIRES(mutex_);

  mutable os::PiMutex mutex_{os::LockRank::scenario_table};
  std::vector<Known> known_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::tasks
