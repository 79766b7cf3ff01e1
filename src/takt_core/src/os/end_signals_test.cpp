// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/end_signals.hpp"

#include <gtest/gtest.h>

#include <future>

namespace takt::os {
namespace {

TEST(EndSignalsTest, ASignalIsReportedFromTheInstantAtWhichItIsHandled) {
  std::promise<void> told;
  const std::uint64_t handle = watch_end_signals([&told] { told.set_value(); });
  told.get_future().wait();  // for the signal that end_signals_replacements.cpp raises
  unwatch_end_signals(handle);
}

}  // namespace
}  // namespace takt::os
