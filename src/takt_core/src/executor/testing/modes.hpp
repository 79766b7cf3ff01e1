// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness.hpp"

namespace takt::executor::testing {

/// The modes in which a processor can run.
enum class Mode {
  preemptive,      ///< a timer thread and a worker per level; needs real-time rights
  non_preemptive,  ///< a non-preemptive policy
  without_rights,  ///< a preemptive policy in a process that has no real-time rights
};

/// The modes possible in this process. Without real-time rights `preemptive` would be
/// `without_rights`.
inline std::vector<Mode> modes() {
  std::vector<Mode> modes = {Mode::non_preemptive, Mode::without_rights};
  if (realtime_available()) modes.push_back(Mode::preemptive);
  return modes;
}

inline std::vector<Mode> preemptive_modes() {
  return realtime_available() ? std::vector{Mode::preemptive} : std::vector<Mode>{};
}

/// A test that runs in every mode.
class ModeTest : public ::testing::TestWithParam<Mode> {
 protected:
  Mode mode() const { return GetParam(); }
  bool rights() const { return mode() != Mode::without_rights; }
  bool preempts() const { return mode() == Mode::preemptive; }
  /// Options with the preemptive policy of this name, or its non-preemptive form.
  Options options(const std::string & policy) const {
    Options options;
    options.policy = mode() == Mode::non_preemptive ? "np-" + policy : policy;
    return options;
  }
  /// As options(), with a shorter watchdog interval, so that blocking that is to be found need not
  /// last so long: at a real-time priority it keeps everything else from the CPU. What must not be
  /// found may last that long on a busy host.
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

/// For tests that apply only to a preemptive policy with real-time rights; there are none in other
/// modes.
#define TAKT_WHERE_IT_PREEMPTS(fixture)                                                      \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(fixture);                                    \
  INSTANTIATE_TEST_SUITE_P(modes, fixture, ::testing::ValuesIn(testing::preemptive_modes()), \
                           testing::mode_name)

}  // namespace takt::executor::testing
