// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "spin_state.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

namespace takt::rclcpp {
namespace {

const auto nothing = [] {};

TEST(SpinStateTest, OneThreadSpinsAtATime) {
  SpinState state;
  std::atomic_bool spinning = false;
  EXPECT_FALSE(state.if_spinning(nothing));
  ASSERT_TRUE(state.begin(spinning));
  EXPECT_TRUE(spinning);
  EXPECT_FALSE(state.begin(spinning));
  EXPECT_TRUE(state.if_spinning(nothing));
  state.end([&] { spinning = false; });
  EXPECT_FALSE(state.if_spinning(nothing));
  EXPECT_TRUE(state.begin(spinning));
}

TEST(SpinStateTest, RclcppsOwnWaysToSpinKeepItOut) {
  SpinState state;
  std::atomic_bool spinning = true;
  EXPECT_FALSE(state.begin(spinning));
  bool called = false;
  EXPECT_FALSE(state.look(spinning, [&] { called = true; }));
  EXPECT_FALSE(called);
  spinning = false;
  EXPECT_TRUE(state.look(spinning, [&] { called = true; }));
  EXPECT_TRUE(called);
}

TEST(SpinStateTest, WhoLooksIsWaitedForAndMayThrow) {
  SpinState state;
  std::atomic_bool spinning = false;
  std::atomic<bool> looking = false;
  std::atomic<bool> may_end = false;
  std::thread looks([&] {
    EXPECT_THROW(state.look(spinning,
                            [&] {
                              looking = true;
                              while (!may_end) std::this_thread::yield();
                              throw std::runtime_error("of who looks");
                            }),
                 std::runtime_error);
  });
  while (!looking) std::this_thread::yield();
  std::thread spins([&] {
    ASSERT_TRUE(state.begin(spinning));
    EXPECT_TRUE(may_end);
    state.end([&] { spinning = false; });
  });
  EXPECT_FALSE(state.if_spinning(nothing));
  may_end = true;
  looks.join();
  spins.join();
}

TEST(SpinStateTest, WhoLooksWaitsForTheEndOfOneThatEnds) {
  SpinState state;
  std::atomic_bool spinning = false;
  ASSERT_TRUE(state.begin(spinning));
  EXPECT_TRUE(state.busy());
  state.begin_to_end();
  EXPECT_TRUE(state.busy());
  EXPECT_FALSE(state.if_spinning(nothing));
  std::atomic<bool> looks = false;
  std::atomic<bool> ended = false;
  std::thread other([&] {
    looks = true;
    EXPECT_TRUE(state.look(spinning, [&] { EXPECT_TRUE(ended); }));
  });
  while (!looks) std::this_thread::yield();
  state.end([&] {
    spinning = false;
    ended = true;
  });
  other.join();
  EXPECT_FALSE(state.busy());
}

TEST(SpinStateTest, WhoWaitsForItsEndMayTakeAwayWhatItUsed) {
  for (int i = 0; i < 200; ++i) {
    const auto state = std::make_shared<SpinState>();
    auto spinning = std::make_unique<std::atomic_bool>(false);
    std::atomic<bool> began = false;
    std::thread spins([state, &spinning, &began] {
      ASSERT_TRUE(state->begin(*spinning));
      began = true;
      state->end([&spinning] { *spinning = false; });
    });
    while (!began) std::this_thread::yield();
    state->wait_until_idle();
    spinning.reset();  // a sanitizer would notice a later access
    spins.join();
  }
}

}  // namespace
}  // namespace takt::rclcpp
