// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/lock_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "takt_core/os/lock.hpp"
#include "takt_core/os/mutex.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/recursive_pi_mutex.hpp"
#include "takt_core/os/thread.hpp"

#if (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)) && \
    !defined(TAKT_CHECK_LOCK_ORDER)
#error "the order of locks is asserted in the sanitizers' builds"
#endif

namespace takt::os {
namespace {

constexpr int a_lock = 0;
constexpr int another_lock = 0;

TEST(HeldLocksTest, AllowThoseBelowAndForbidThoseAbove) {
  HeldLocks held;
  EXPECT_EQ(held.forbids(LockRank::dispatcher), std::nullopt);
  ASSERT_TRUE(held.add(&a_lock, LockRank::planner));
  EXPECT_EQ(held.forbids(LockRank::dispatcher), std::nullopt);
  EXPECT_EQ(held.forbids(LockRank::user_functions), LockRank::planner);
  ASSERT_TRUE(held.add(&another_lock, LockRank::dispatcher));
  EXPECT_EQ(held.forbids(LockRank::thread_creation), LockRank::dispatcher);
}

TEST(HeldLocksTest, ForbidASecondOfOneRankButWhereUsersFunctionsAreCalled) {
  HeldLocks held;
  ASSERT_TRUE(held.add(&a_lock, LockRank::user_functions));
  EXPECT_EQ(held.forbids(LockRank::user_functions), std::nullopt);
  ASSERT_TRUE(held.add(&another_lock, LockRank::dispatcher));
  EXPECT_EQ(held.forbids(LockRank::dispatcher), LockRank::dispatcher);
}

TEST(HeldLocksTest, AreGivenBackInAnyOrder) {
  HeldLocks held;
  ASSERT_TRUE(held.add(&a_lock, LockRank::planner));
  ASSERT_TRUE(held.add(&another_lock, LockRank::dispatcher));
  held.remove(&a_lock);
  EXPECT_EQ(held.forbids(LockRank::planner), LockRank::dispatcher);
  held.remove(&another_lock);
  EXPECT_EQ(held.forbids(LockRank::planner), std::nullopt);
}

TEST(HeldLocksTest, KnowNothingOfThoseWithoutARank) {
  HeldLocks held;
  ASSERT_TRUE(held.add(&a_lock, LockRank::unranked));
  EXPECT_EQ(held.forbids(LockRank::program), std::nullopt);
  ASSERT_TRUE(held.add(&another_lock, LockRank::allocator));
  EXPECT_EQ(held.forbids(LockRank::unranked), std::nullopt);
}

TEST(HeldLocksTest, AreSoManyAtMost) {
  HeldLocks held;
  int count = 0;
  while (count < 1000 && held.add(&a_lock, LockRank::user_functions)) ++count;
  EXPECT_GT(count, 10);
  EXPECT_LT(count, 1000);
}

TEST(LockRankTest, AllHaveAName) {
  EXPECT_STREQ(name(LockRank::unranked), "unranked");
  EXPECT_STREQ(name(LockRank::dispatcher), "dispatcher");
  EXPECT_STREQ(name(LockRank::allocator), "allocator");
}

#ifdef TAKT_CHECK_LOCK_ORDER

// Negative control: if the order were not checked, nothing would end the process.

template <typename Upper, typename Lower>
void lock_in_the_wrong_order() {
  Upper upper(LockRank::planner);
  Lower lower(LockRank::dispatcher);
  const Lock held(lower);
  const Lock wrong(upper);
}

void lock_two_of_one_rank() {
  Mutex one(LockRank::entities);
  Mutex other(LockRank::entities);
  const Lock first(one);
  const Lock second(other);
}

TEST(LockOrderDeathTest, EndsAProcessThatLocksInTheWrongOrder) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string line = "a thread that holds 'dispatcher' waits for 'planner'";
  EXPECT_DEATH((lock_in_the_wrong_order<PiMutex, PiMutex>()), line);
  EXPECT_DEATH((lock_in_the_wrong_order<Mutex, PiMutex>()), line);
  EXPECT_DEATH((lock_in_the_wrong_order<RecursivePiMutex, Mutex>()), line);
}

TEST(LockOrderDeathTest, EndsOneThatLocksTwoOfOneRank) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(lock_two_of_one_rank(), "'entities' waits for 'entities'.*beside it");
}

TEST(LockOrderTest, BearsWhatIsOnlyTriedAndWhatIsHeldAgain) {
  Mutex upper(LockRank::planner);
  RecursivePiMutex lower(LockRank::dispatcher);
  const Lock held(lower);
  const Lock again(lower);
  ASSERT_TRUE(upper.try_lock());
  upper.unlock();
}

TEST(LockOrderTest, IsThatOfEachThread) {
  Mutex lower(LockRank::dispatcher);
  Mutex upper(LockRank::planner);
  const Lock held(lower);
  Thread other({.name = "test.other"}, [&] { const Lock lock(upper); });
}

#else

TEST(LockOrderTest, CostsNothingWhereItIsNotChecked) {
  EXPECT_EQ(sizeof(PiMutex), sizeof(std::uint32_t));
  EXPECT_EQ(sizeof(Mutex), sizeof(std::mutex));
}

#endif

}  // namespace
}  // namespace takt::os
