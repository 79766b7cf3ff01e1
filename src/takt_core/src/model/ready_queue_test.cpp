// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "ready_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <random>
#include <set>

#include "testing/random_seed.hpp"

namespace takt::model {
namespace {

struct InOrder {
  bool operator()(const Job & a, const Job & b) const { return rank_precedes(a, b); }
};

TEST(ReadyQueueTest, BreaksTiesByDeadlineThenReleaseThenTask) {
  const Job base{.task = 3, .release = 5, .deadline = 50, .urgency = 7};
  Job urgent = base;
  urgent.urgency = 6;
  urgent.deadline = 90;
  Job deadline = base;
  deadline.deadline = 49;
  deadline.release = 9;
  Job release = base;
  release.release = 4;
  release.task = 9;
  Job task = base;
  task.task = 2;
  ReadyQueue queue;
  queue.reserve(5);
  std::array jobs{base, task, release, deadline, urgent};
  for (Job & job : jobs) queue.push(job);
  std::vector<TaskId> order;
  std::vector<Time> deadlines;
  for (; !queue.empty(); queue.pop()) {
    order.push_back(queue.front().task);
    deadlines.push_back(queue.front().deadline);
  }
  EXPECT_EQ(order, (std::vector<TaskId>{3, 3, 9, 2, 3}));
  EXPECT_EQ(deadlines, (std::vector<Time>{90, 49, 50, 50, 50}));
}

TEST(ReadyQueueTest, KnowsTheSecondIfItCameInOrder) {
  ReadyQueue queue;
  queue.reserve(4);
  std::array<Job, 4> jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].urgency = static_cast<Urgency>(i);
  EXPECT_EQ(queue.second(), nullptr);
  queue.push(jobs[1]);
  EXPECT_EQ(queue.second(), nullptr);
  queue.push(jobs[2]);
  queue.push(jobs[3]);
  EXPECT_EQ(queue.second(), &jobs[2]);
  queue.push(jobs[0]);  // out of order: before all others
  EXPECT_EQ(&queue.front(), &jobs[0]);
  EXPECT_EQ(queue.second(), &jobs[1]);
  queue.pop();
  queue.pop();
  EXPECT_EQ(queue.second(), &jobs[3]);
  queue.pop();
  EXPECT_EQ(queue.second(), nullptr);
}

TEST(ReadyQueueTest, AgreesWithASortedSet) {
  std::mt19937_64 random(testing::random_seed());
  ReadyQueue queue;
  queue.reserve(200);
  std::deque<Job> jobs;
  std::set<Job, InOrder> reference;
  for (int i = 0; i < 20000; ++i) {
    if (reference.size() < 200 && random() % 2 == 0) {
      Job & job = jobs.emplace_back(
          Job{.task = static_cast<TaskId>(i), .urgency = static_cast<Urgency>(random() % 50)});
      queue.push(job);
      reference.insert(job);
    } else if (!reference.empty()) {
      ASSERT_EQ(queue.front().task, reference.begin()->task);
      queue.pop();
      reference.erase(reference.begin());
    }
    ASSERT_EQ(queue.empty(), reference.empty());
  }
}

TEST(ReadyQueueTest, AgreesWithASortedSetWhereJobsMostlyComeInOrder) {
  std::mt19937_64 random(testing::random_seed());
  ReadyQueue queue;
  queue.reserve(200);
  std::deque<Job> jobs;
  std::set<Job, InOrder> reference;
  for (int i = 0; i < 20000; ++i) {
    if (reference.size() < 200 && random() % 2 == 0) {
      const auto late = static_cast<Urgency>(random() % 10 == 0 ? random() % 2000 : 0);
      Job & job = jobs.emplace_back(Job{.task = static_cast<TaskId>(i), .urgency = i / 8 - late});
      queue.push(job);
      reference.insert(job);
    } else if (!reference.empty()) {
      ASSERT_EQ(queue.front().task, reference.begin()->task);
      queue.pop();
      reference.erase(reference.begin());
    }
    ASSERT_EQ(queue.empty(), reference.empty());
  }
}

TEST(ReadyQueueTest, RanksAnew) {
  ReadyQueue queue;
  queue.reserve(9);
  std::array<Job, 9> jobs;
  for (TaskId id = 0; id < 9; ++id) {
    jobs[id] = {.task = id, .urgency = id};
    queue.push(jobs[id]);
  }
  queue.rank_anew([](const Job & job) { return -Urgency{job.task}; });
  for (TaskId id = 9; id-- > 0; queue.pop()) EXPECT_EQ(queue.front().task, id);
}

TEST(ReadyQueueTest, FindsTheFirstByAnyOrder) {
  ReadyQueue queue;
  queue.reserve(4);
  std::array<Job, 4> jobs{Job{.release = 5}, Job{.release = 3}, Job{.release = 8},
                          Job{.release = 4}};
  for (Job & job : jobs) queue.append(job);
  std::vector<Time> order;
  while (!queue.empty()) {
    queue.bring_first([](const Job & a, const Job & b) { return a.release < b.release; });
    order.push_back(queue.front().release);
    queue.drop(queue.front());
  }
  EXPECT_EQ(order, (std::vector<Time>{3, 4, 5, 8}));
}

}  // namespace
}  // namespace takt::model
