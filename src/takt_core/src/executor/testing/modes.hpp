// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness.hpp"

namespace takt::executor::testing {

/// The ways in which a processor runs.
enum class Mode {
  preemptive,      ///< a timer thread and a worker for each level; needs real-time rights
  non_preemptive,  ///< a policy that does not preempt
  without_rights,  ///< a preemptive policy in a process that has no real-time rights
};

/// Those this process can run in. Without real-time rights, `preemptive` would be `without_rights`.
inline std::vector<Mode> modes() {
  std::vector<Mode> modes = {Mode::non_preemptive, Mode::without_rights};
  if (realtime_available()) modes.push_back(Mode::preemptive);
  return modes;
}

inline std::vector<Mode> preemptive_modes() {
  return realtime_available() ? std::vector{Mode::preemptive} : std::vector<Mode>{};
}

/// A test that is run in every mode.
class ModeTest : public ::testing::TestWithParam<Mode> {
 protected:
  Mode mode() const { return GetParam(); }
  bool rights() const { return mode() != Mode::without_rights; }
  bool preempts() const { return mode() == Mode::preemptive; }
  /// The preemptive policy of this name, or its other form.
  Options options(const std::string & policy) const {
    Options options;
    options.policy = mode() == Mode::non_preemptive ? "np-" + policy : policy;
    return options;
  }
  /// The same, where the watchdog looks more often than it would, so that what it is to find need not
  /// last: at a real-time priority that keeps a CPU from everything else. What it is not to find may
  /// last as long on a busy host.
  Options watched(const std::string & policy) const {
    Options options = this->options(policy);
    options.watchdog_interval = 200 * ms;
    return options;
  }
};

inline std::string mode_name(const ::testing::TestParamInfo<Mode> & info) {
  switch (info.param) {
    case Mode::preemptive:
      return "preemptive";
    case Mode::non_preemptive:
      return "non_preemptive";
    case Mode::without_rights:
      break;
  }
  return "without_rights";
}

#define TAKT_FOR_ALL_MODES(fixture)                                               \
  INSTANTIATE_TEST_SUITE_P(modes, fixture, ::testing::ValuesIn(testing::modes()), \
                           testing::mode_name)

/// Of what only a preemptive policy with real-time rights has: elsewhere it has no tests.
#define TAKT_WHERE_IT_PREEMPTS(fixture)                                                      \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(fixture);                                    \
  INSTANTIATE_TEST_SUITE_P(modes, fixture, ::testing::ValuesIn(testing::preemptive_modes()), \
                           testing::mode_name)

}  // namespace takt::executor::testing
