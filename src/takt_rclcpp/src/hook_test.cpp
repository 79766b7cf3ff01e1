// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "hook.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace takt::rclcpp {
namespace {

void add(void * sum, std::size_t count) {
  *static_cast<std::atomic<std::size_t> *>(sum) += count;
}

TEST(HookTest, CallsWhoeverHasIt) {
  std::atomic<std::size_t> sum = 0;
  Hook & hook = Hook::get();
  Hook::call(&hook, 1);
  EXPECT_EQ(sum, 0u);
  hook.set(add, &sum);
  Hook::call(&hook, 2);
  Hook::call(&hook, 3);
  EXPECT_EQ(sum, 5u);
  hook.give_back();
  // A late call, from a handle that still exists.
  Hook::call(&hook, 7);
  EXPECT_EQ(sum, 5u);
}

TEST(HookTest, IsGivenOnAndOfOneAtATime) {
  std::set<Hook *> all;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(all.insert(&Hook::get()).second);
  for (Hook * hook : all) hook->give_back();
  std::set<Hook *> again;
  for (int i = 0; i < 10; ++i) again.insert(&Hook::get());
  EXPECT_EQ(again, all);
  for (Hook * hook : again) hook->give_back();
}

TEST(HookTest, GivenBackItIsNotBeingCalled) {
  for (int i = 0; i < 200; ++i) {
    Hook & hook = Hook::get();
    auto sum = std::make_unique<std::atomic<std::size_t>>(0);
    hook.set(add, sum.get());
    std::atomic<bool> end = false;
    std::thread middleware([&] {
      while (!end) Hook::call(&hook, 1);
    });
    while (sum->load() == 0) std::this_thread::yield();
    hook.give_back();
    sum.reset();  // a sanitizer would notice a later access
    end = true;
    middleware.join();
  }
}

}  // namespace
}  // namespace takt::rclcpp
