// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "overseer.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/threads.hpp>
#include <vector>

#include "error.hpp"

namespace takt::lab {
namespace {

struct Watched {
  explicit Watched(Window window, model::Duration look_every = 0)
      : overseer(window, -1, interrupt,
                 {.opened = [this] { ++opened; },
                  .closed = [this] { ++closed; },
                  .stop = [this] { stopped.post(); },
                  .look_every = look_every,
                  .look = [this] { looks.push_back(os::now()); }}) {}
  int opened = 0;
  int closed = 0;
  std::vector<model::Time> looks;
  os::Event stopped;
  Interrupt interrupt;
  Overseer overseer;
};

TEST(OverseerTest, MeasuresTheWindowAndStopsTheRun) {
  const model::Time now = os::now();
  Watched run({now + 3'000'000, now + 6'000'000});
  run.stopped.wait();
  run.overseer.finish();
  EXPECT_EQ(run.opened, 1);
  EXPECT_EQ(run.closed, 1);
  EXPECT_GE(run.overseer.cpu().opened(), now + 3'000'000);
  EXPECT_GE(run.overseer.cpu().closed(), now + 6'000'000);
  EXPECT_FALSE(run.overseer.cpu().threads().empty());
  EXPECT_GT(run.overseer.reading(), 0);
}

TEST(OverseerTest, LooksOnATimeOfItsOwn) {
  const model::Time now = os::now();
  Watched run({now + 3'000'000, now + 9'000'000}, 2'000'000);
  run.stopped.wait();
  run.overseer.finish();
  ASSERT_EQ(run.looks.size(), 3u);
  for (model::Time i = 0; i < 3; ++i) EXPECT_GE(run.looks[i], now + (3 + 2 * i) * 1'000'000);
  EXPECT_EQ(run.closed, 1);
}

TEST(OverseerTest, ASignalStopsTheRunBeforeItsTime) {
  const model::Time now = os::now();
  Watched run({now + 1'000'000, model::never});
  run.interrupt.raise();
  run.stopped.wait();
  EXPECT_THROW(run.overseer.finish(), Error);
  EXPECT_EQ(run.closed, 0);
}

TEST(OverseerTest, ARunThatEndedByItselfIsNotWhole) {
  Watched run({model::never - 1, model::never});
  EXPECT_THROW(run.overseer.finish(), Error);
}

TEST(OverseerTest, AThreadThatSpinsAtAPriorityCannotKeepTheRunFromEnding) {
  const model::Time now = os::now();
  Watched run({now + 1'000'000, now + 5'000'000});
  os::Thread spinner({.name = "lab.spinner", .priority = 1}, [&] {
    while (os::realtime_priority(0) > 0) {
    }
  });
  run.stopped.wait();
  spinner.join();
  run.overseer.finish();
}

TEST(OverseerTest, MayBeLeftAtAnyTime) {
  Watched run({model::never - 1, model::never});
  // The overseer is destroyed without finish(), as if the run had thrown an exception.
}

}  // namespace
}  // namespace takt::lab
