// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace takt::tasks {
namespace {

/// A queue of the middleware that keeps the newest `depth` items, or all.
struct Queue {
  enum class Item { own, foreign, unreadable };

  explicit Queue(std::size_t keeps = Arrivals::unbounded, bool tells = false)
      : depth(keeps), tells_foreign(tells) {}

  std::size_t depth;
  bool tells_foreign;  ///< whether take() tells another callback's item from an empty queue
  std::deque<Item> items;
  std::size_t delivered = 0;
  std::size_t replaced = 0;

  void put(Item item) {
    if (depth != Arrivals::unbounded && items.size() == depth) {
      items.pop_front();
      ++replaced;
    }
    items.push_back(item);
  }
  void put(std::size_t count, Item item = Item::own) {
    for (std::size_t i = 0; i < count; ++i) put(item);
  }
  Taken take() {
    if (items.empty()) return tells_foreign ? Taken::none : Taken::unknown;
    const Item item = items.front();
    items.pop_front();
    if (item == Item::unreadable) return Taken::failed;
    if (item == Item::foreign) return tells_foreign ? Taken::other : Taken::unknown;
    ++delivered;
    return Taken::one;
  }
};
using Item = Queue::Item;

TEST(ArrivalsTest, EachThatWasAnnouncedIsTakenOnce) {
  Arrivals arrivals;
  Queue queue;
  const auto take = [&] { return queue.take(); };
  EXPECT_EQ(arrivals.take(1, take), 0u);
  queue.put(3);
  arrivals.announce(3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_EQ(arrivals.take(1, take), 0u);
  EXPECT_EQ(queue.delivered, 3u);
}

TEST(ArrivalsTest, AnItemBehindOneOfSomebodyElseIsTakenByTheSameJob) {
  for (const bool tells : {false, true}) {
    Arrivals arrivals(10);
    Queue queue(10, tells);
    queue.put(Item::foreign);
    queue.put(Item::own);
    arrivals.announce(1);
    arrivals.announce(1);
    EXPECT_EQ(arrivals.take(1, [&] { return queue.take(); }), 1u);
    EXPECT_FALSE(arrivals.any());
  }
}

TEST(ArrivalsTest, OneThatGivesNothingForgetsNoOther) {
  Arrivals arrivals(10);
  Queue queue(10);
  queue.put(Item::foreign);
  // One of them announces an own item, which arrives during the first attempt.
  arrivals.announce(2);
  EXPECT_EQ(arrivals.take(1,
                          [&] {
                            const Taken taken = queue.take();
                            if (queue.delivered == 0 && queue.items.empty()) queue.put(Item::own);
                            return taken;
                          }),
            1u);
}

TEST(ArrivalsTest, ThoseThatWereReplacedAreForgottenByTheSightOfAnEmptyQueue) {
  Arrivals arrivals;
  Queue queue(2, true);
  const auto take = [&] { return queue.take(); };
  queue.put(1000);
  arrivals.announce(1000);
  EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_EQ(arrivals.waiting(), 998u);
  EXPECT_EQ(arrivals.take(1, take), 0u);
  EXPECT_EQ(arrivals.waiting(), 0u);
}

TEST(ArrivalsTest, WhereNobodyTellsAnEmptyQueueItsDepthDoes) {
  Arrivals arrivals(2);
  Queue queue(2);
  std::size_t attempts = 0;
  const auto take = [&] {
    ++attempts;
    return queue.take();
  };
  queue.put(1000);
  arrivals.announce(1000);
  EXPECT_EQ(arrivals.take(1000, take), 2u);
  EXPECT_EQ(attempts, 4u);
  EXPECT_EQ(arrivals.waiting(), 0u);
}

TEST(ArrivalsTest, InAnUnboundedQueueEachAnnouncementIsWorthAnAttempt) {
  Arrivals arrivals;
  Queue queue;
  queue.put(5000, Item::foreign);
  queue.put(1);
  arrivals.announce(5001);
  EXPECT_EQ(arrivals.take(1, [&] { return queue.take(); }), 1u);
}

TEST(ArrivalsTest, WhatIsAnnouncedMeanwhileIsNotForgotten) {
  Arrivals arrivals;
  arrivals.announce(5);
  const auto none_and_then_some = [&] {
    arrivals.announce(2);
    return Taken::none;
  };
  EXPECT_EQ(arrivals.take(1, none_and_then_some), 0u);
  EXPECT_EQ(arrivals.waiting(), 2u);
}

TEST(ArrivalsTest, AnExceptionLeavesTheOthers) {
  Arrivals arrivals;
  arrivals.look();
  arrivals.announce(3);
  EXPECT_THROW(arrivals.take(1, []() -> Taken { throw std::runtime_error("a callback's"); }),
               std::runtime_error);
  EXPECT_EQ(arrivals.waiting(), 2u);
  EXPECT_EQ(arrivals.take(2, [] { return Taken::one; }), 2u);
  EXPECT_EQ(arrivals.jobs(), 1u) << "the look is pending and needs a job";
}

TEST(ArrivalsTest, AnExceptionDuringALookLeavesItAJob) {
  Arrivals arrivals;
  arrivals.look();
  EXPECT_THROW(arrivals.take(1, []() -> Taken { throw std::runtime_error("a callback's"); }),
               std::runtime_error);
  EXPECT_TRUE(arrivals.claim_job(100));
  EXPECT_EQ(arrivals.take(1, [] { return Taken::one; }), 1u);
  EXPECT_TRUE(arrivals.claim_job(100));
  EXPECT_EQ(arrivals.take(1, [] { return Taken::none; }), 0u);
  EXPECT_FALSE(arrivals.claim_job(100));
}

TEST(ArrivalsTest, ALookTakesWhatNobodyAnnounced) {
  Arrivals arrivals;
  Queue queue(Arrivals::unbounded, true);
  const auto take = [&] { return queue.take(); };
  queue.put(3);
  EXPECT_EQ(arrivals.take(10, take), 0u);
  arrivals.announce(0);  // an unknown number
  EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_TRUE(arrivals.claim_job(100));
  EXPECT_EQ(arrivals.take(10, take), 2u);
  EXPECT_FALSE(arrivals.claim_job(100));
  EXPECT_FALSE(arrivals.any());
}

TEST(ArrivalsTest, WhatComesDuringALookIsLeftToItsJob) {
  Arrivals arrivals;
  Queue queue;
  queue.put(10);
  arrivals.look();
  const auto take_as_one_comes = [&] {
    queue.put(1);
    arrivals.announce(1);
    return queue.take();
  };
  EXPECT_EQ(arrivals.take(100, take_as_one_comes), 1u);
  EXPECT_EQ(arrivals.waiting(), 1u);
  EXPECT_EQ(arrivals.take(100, [&] { return queue.take(); }), 10u)
      << "the next call takes the items that are left";
}

TEST(ArrivalsTest, WhoAsksForALookWhileOneIsDoneGetsAnother) {
  Arrivals arrivals;
  arrivals.look();
  const auto empty_and_then_some = [&] {
    arrivals.look();
    return Taken::none;
  };
  EXPECT_EQ(arrivals.take(1, empty_and_then_some), 0u);
  EXPECT_EQ(arrivals.take(1, [] { return Taken::one; }), 1u);
}

TEST(ArrivalsTest, WhatCannotBeReadEndsTheJobAndIsTriedWithTheNext) {
  Arrivals arrivals;
  Queue queue(Arrivals::unbounded, true);
  queue.put(Item::own);
  arrivals.announce(1);
  EXPECT_EQ(arrivals.take(1, [] { return Taken::failed; }), 0u);
  EXPECT_FALSE(arrivals.claim_job(100)) << "an unreadable item must not cause jobs for ever";
  queue.put(Item::own);
  arrivals.announce(1);
  EXPECT_EQ(arrivals.take(1, [&] { return queue.take(); }), 1u);
  EXPECT_TRUE(arrivals.claim_job(100));
}

TEST(ArrivalsTest, MoreThanJobsMayWaitAreGivenJobsOneByOne) {
  Arrivals arrivals;
  arrivals.announce(12);
  const auto take = [] { return Taken::one; };
  EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_TRUE(arrivals.claim_job(10));
  EXPECT_EQ(arrivals.take(2, take), 2u);
  EXPECT_FALSE(arrivals.claim_job(10));
}

TEST(ArrivalsTest, ALookIsGivenOneJobByWhicheverWay) {
  constexpr std::size_t queue = 5;
  Arrivals arrivals;
  arrivals.announce(1);
  EXPECT_EQ(arrivals.take(1, [] { return Taken::failed; }), 0u);
  EXPECT_FALSE(arrivals.claim_job(queue)) << "the look continues in the next item's job";
  arrivals.announce(queue);
  const auto take = [] { return Taken::one; };
  EXPECT_EQ(arrivals.take(1, take), 1u);
  EXPECT_TRUE(arrivals.claim_job(queue)) << "four announced items and the look need jobs";
  for (std::size_t i = 1; i < queue; ++i) {
    EXPECT_EQ(arrivals.take(1, take), 1u);
    EXPECT_FALSE(arrivals.claim_job(queue));
  }
  EXPECT_EQ(arrivals.take(1, [] { return Taken::none; }), 0u);
  EXPECT_FALSE(arrivals.claim_job(queue));
}

TEST(ArrivalsTest, AnotherGoesOn) {
  Arrivals arrivals;
  arrivals.announce(7);
  arrivals.look();
  arrivals.take(1, [] { return Taken::one; });
  Arrivals next;
  next.announce(1);
  next.continue_from(arrivals);
  EXPECT_EQ(next.waiting(), 7u);
  EXPECT_EQ(next.take(8, [] { return Taken::one; }), 8u)
      << "seven announced items, and one that the look finds";
}

/// A callback with its queue and its jobs, as in the front ends. Each step() is a random event that
/// may happen to it.
class World {
 public:
  World(std::uint64_t seed, std::size_t depth, bool tells)
      : random_(seed), queue_(depth, tells), jobs_queue_(1 + below(5)) {
    listen();
  }

  void step() {
    switch (below(9)) {
      case 0:
      case 1:
        return arrive(Item::own);
      case 2:
        return arrive(Item::foreign);
      case 3:
        return tell();
      case 4:
      case 5:
        return run_job();
      case 6:
        if (below(8) == 0) arrive(Item::unreadable);
        return;
      case 7:
        if (below(4) != 0 || queue_.items.empty()) return;
        queue_.items.pop_front();  // taken by another executor
        ++not_for_it_;
        return;
      default:
        if (below(6) != 0) return;
        if (below(2) == 0) return take_over();
        if (listening_) {
          tell();  // it is notified until it stops listening
          listening_ = false;
        } else {
          listen();
        }
    }
  }

  /// Runs all jobs. Items behind one that cannot be read are taken with the next one.
  void settle() {
    if (!listening_) listen();
    for (failed_last_ = true; failed_last_;) {
      tell();
      while (jobs_ > 0) run_job();
      if (failed_last_) arrive(Item::own);
    }
  }
  std::size_t left() const {
    return static_cast<std::size_t>(
        std::count(queue_.items.begin(), queue_.items.end(), Item::own));
  }
  std::size_t jobs_for_nothing() const { return in_vain_; }
  /// Attempts in vain that cannot be avoided: for announced items that are not for the callback,
  /// are not in the queue any more, or were taken before; and one at the end of each look, which
  /// finds the queue empty.
  std::size_t unavoidable() const { return not_for_it_ + queue_.replaced + early_ + looks_; }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  void arrive(Item item) {
    queue_.put(item);
    if (item == Item::foreign) ++not_for_it_;
    if (item == Item::unreadable) not_for_it_ += 2;  // it is tried twice
    if (listening_) ++untold_;
  }
  /// Announces the items that have arrived, in one notification.
  void tell() {
    if (!listening_ || untold_ == 0) return;
    const std::size_t count = std::exchange(untold_, 0);
    arrivals_->announce(count);
    release(count);
  }
  void listen() {
    listening_ = true;
    if (queue_.items.empty()) return;
    ++looks_;
    arrivals_->look();
    release(1);
  }
  void take_over() {
    auto next = std::make_unique<Arrivals>(queue_.depth);
    next->continue_from(*arrivals_);
    arrivals_ = std::move(next);
    jobs_ = 0;  // those were jobs of the object that is replaced
    release(arrivals_->jobs());
  }
  /// As the scheduler does: one job is unfinished, and `jobs_queue_` may wait behind it.
  void release(std::size_t count) { jobs_ = std::min(jobs_ + count, jobs_queue_ + 1); }

  void run_job() {
    if (jobs_ == 0) return;
    failed_last_ = false;
    std::size_t delivered = 1;
    try {
      delivered = arrivals_->take(1, [this] {
        const Taken taken = queue_.take();
        failed_last_ = taken == Taken::failed;
        if (taken == Taken::one && below(8) == 0) throw std::runtime_error("a callback's");
        return taken;
      });
    } catch (const std::runtime_error &) {
      // The item was delivered before the callback threw.
    }
    if (delivered == 0) ++in_vain_;
    if (delivered > 0 && untold_ > 0) ++early_;
    if (arrivals_->claim_job(jobs_queue_)) release(1);
    --jobs_;
  }

  std::mt19937_64 random_;
  Queue queue_;
  const std::size_t jobs_queue_;
  std::unique_ptr<Arrivals> arrivals_ = std::make_unique<Arrivals>(queue_.depth);
  bool listening_ = false;
  std::size_t untold_ = 0;
  std::size_t jobs_ = 0;
  std::size_t in_vain_ = 0;
  std::size_t not_for_it_ = 0;
  std::size_t early_ = 0;
  std::size_t looks_ = 0;
  bool failed_last_ = false;
};

TEST(ArrivalsTest, NothingThatLiesThereIsForgottenWhateverHappens) {
  const std::uint64_t seed = std::random_device()();
  for (std::uint64_t run = 0; run < 3000; ++run) {
    SCOPED_TRACE("seed " + std::to_string(seed + run));
    const std::size_t depths[] = {Arrivals::unbounded, 1, 2, 10};
    World world(seed + run, depths[run % 4], run % 3 == 0);
    for (int round = 0; round < 4; ++round) {
      for (int i = 0; i < 60; ++i) world.step();
      world.settle();
      ASSERT_EQ(world.left(), 0u);
      ASSERT_LE(world.jobs_for_nothing(), world.unavoidable());
    }
  }
}

TEST(ArrivalsTest, WhereEachIsForItAndLiesThereNoJobIsForNothing) {
  const std::uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Arrivals arrivals(10);
  Queue queue(10);
  std::size_t jobs = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (random() % 2 == 0 && queue.items.size() < 10) {
      queue.put(1);
      arrivals.announce(1);
      ++jobs;
    } else if (jobs > 0) {
      --jobs;
      ASSERT_EQ(arrivals.take(1, [&] { return queue.take(); }), 1u);
      ASSERT_FALSE(arrivals.claim_job(10));
    }
  }
}

TEST(ArrivalsTest, NoneIsLostBetweenThreads) {
  constexpr std::size_t count = 100'000;
  Arrivals arrivals;
  std::atomic<std::size_t> there = 0;
  std::thread producer([&] {
    for (std::size_t i = 0; i < count; ++i) {
      there.fetch_add(1);
      arrivals.announce(1);
    }
  });
  std::size_t taken = 0;
  while (taken < count) {
    taken += arrivals.take(1, [&] {
      if (there.load() == 0) return Taken::none;
      there.fetch_sub(1);
      return Taken::one;
    });
  }
  producer.join();
  EXPECT_EQ(arrivals.waiting(), 0u);
  EXPECT_EQ(there.load(), 0u);
}

}  // namespace
}  // namespace takt::tasks
