// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/message_pool.hpp"

#include <gtest/gtest.h>

#include <set>
#include <std_msgs/msg/string.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

namespace takt {
namespace {

using std_msgs::msg::String;

std::shared_ptr<MessagePool> make_pool(PoolRule rule, std::size_t size) {
  auto pool = std::make_shared<MessagePool>(message_type<String>(), rule);
  pool->reserve(size);
  return pool;
}

TEST(MessagePoolTest, LendsEachMessageOnceAtATime) {
  const auto pool = make_pool(PoolRule::drop, 3);
  std::set<void *> lent;
  std::vector<std::shared_ptr<void>> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(pool->take());
    lent.insert(kept.back().get());
  }
  EXPECT_EQ(lent.size(), 3u);
  EXPECT_EQ(pool->exhausted(), 0u);
}

TEST(MessagePoolTest, UsesAMessageAgainWithItsMemory) {
  const auto pool = make_pool(PoolRule::drop, 1);
  auto first = std::static_pointer_cast<String>(pool->take());
  first->data = std::string(500, 'x');
  const char * text = first->data.data();
  const void * address = first.get();
  first.reset();
  const auto second = std::static_pointer_cast<String>(pool->take());
  EXPECT_EQ(second.get(), address);
  EXPECT_EQ(second->data.data(), text);
}

TEST(MessagePoolTest, PreparesTheMessagesThereAreAndThoseThatCome) {
  const auto pool = make_pool(PoolRule::grow, 2);
  std::vector<std::shared_ptr<String>> used = {std::static_pointer_cast<String>(pool->take())};
  pool->prepare([](void * message) { static_cast<String *>(message)->data = "prepared"; });
  EXPECT_EQ(used[0]->data, "");
  for (int i = 0; i < 2; ++i) {  // one that was free, and a newly constructed one
    used.push_back(std::static_pointer_cast<String>(pool->take()));
    EXPECT_EQ(used.back()->data, "prepared");
  }
}

TEST(MessagePoolTest, KeepsItsMessagesWhereTheyCannotBePrepared) {
  const auto pool = make_pool(PoolRule::drop, 2);
  const auto refuse = [](void *) { throw std::length_error("too long"); };
  EXPECT_THROW(pool->prepare(refuse), std::length_error);
  EXPECT_NE(pool->take(), nullptr);
  EXPECT_EQ(pool->exhausted(), 0u);
}

TEST(MessagePoolTest, GivesNoneWhenExhaustedUnderDrop) {
  const auto pool = make_pool(PoolRule::drop, 1);
  const auto kept = pool->take();
  EXPECT_EQ(pool->take(), nullptr);
  EXPECT_EQ(pool->exhausted(), 1u);
  EXPECT_EQ(pool->size(), 1u);
}

TEST(MessagePoolTest, AllocatesOneWhenExhaustedUnderGrow) {
  const auto pool = make_pool(PoolRule::grow, 1);
  auto kept = pool->take();
  EXPECT_NE(pool->take(), nullptr);
  EXPECT_EQ(pool->exhausted(), 1u);
  EXPECT_EQ(pool->size(), 2u);
}

TEST(MessagePoolTest, DoesNotLendAMessageThatAWeakPointerStillKnows) {
  const auto pool = make_pool(PoolRule::drop, 1);
  std::weak_ptr<void> weak = pool->take();
  EXPECT_EQ(weak.lock(), nullptr);
  EXPECT_EQ(pool->take(), nullptr);
  weak.reset();
  EXPECT_NE(pool->take(), nullptr);
}

TEST(MessagePoolTest, OutlivesItsOwnerAsLongAsAMessageIsLent) {
  auto pool = make_pool(PoolRule::drop, 2);
  auto message = std::static_pointer_cast<String>(pool->take());
  const std::weak_ptr<MessagePool> weak = pool;
  pool.reset();
  message->data = "still there";
  EXPECT_FALSE(weak.expired());
  message.reset();
  EXPECT_TRUE(weak.expired());
}

TEST(MessagePoolTest, CountsRightAcrossThreads) {
  const auto pool = make_pool(PoolRule::drop, 4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool] {
      for (int i = 0; i < 2000; ++i) {
        const auto message = std::static_pointer_cast<String>(pool->take());
        ASSERT_NE(message, nullptr);
        message->data = "mine";
      }
    });
  }
  for (auto & thread : threads) thread.join();
  EXPECT_EQ(pool->exhausted(), 0u);
  std::vector<std::shared_ptr<void>> all;
  for (int i = 0; i < 4; ++i) all.push_back(pool->take());
  EXPECT_EQ(all.back() == nullptr, false);
  EXPECT_EQ(pool->take(), nullptr);
}

}  // namespace
}  // namespace takt
