// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "takt_core/model/scenario.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::tasks {

/// The numbers of an executor's scenarios. A name keeps its number for good, so that whoever knows
/// the number need not ask again. Thread-safe.
class ScenarioTable {
 public:
  /// In order of their numbers, from 1, if these are the names there are: those that had a number
  /// and are no longer there are empty. Throws Error if there were too many names. Allocates.
  std::vector<std::string> numbered(const std::vector<std::string> & names) const;
  /// These there are from now on. As numbered().
  void set(const std::vector<std::string> & names);
  /// Throws Error, which lists the names, if there is none; allocates only then.
  model::ScenarioId number(std::string_view name) const;
  /// Empty if there is none.
  std::string name(model::ScenarioId number) const;
  bool present(model::ScenarioId number) const;
  /// Those that there are, in order of their numbers. Allocates.
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
