// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing/random_seed.hpp"

namespace takt::model {
namespace {

using Where = std::vector<std::size_t>;

constexpr std::size_t anywhere = Placeable::anywhere;

std::vector<Placeable> loads(const std::vector<double> & utilisations) {
  std::vector<Placeable> tasks;
  for (const double utilisation : utilisations) tasks.push_back({"n/a", utilisation});
  return tasks;
}

std::string error_of(const std::vector<Placeable> & tasks, const std::vector<Bond> & bonds,
                     std::size_t processors = 2) {
  try {
    place(tasks, bonds, processors);
  } catch (const std::invalid_argument & error) {
    return error.what();
  }
  return "";
}

TEST(PlacementTest, GoesByWorstFitTheLargestFirst) {
  const Placement placement = place(loads({0.2, 0.3, 0.5, 0.4}), {}, 2);
  // 0.5 | 0.4, then 0.3 on the second processor and 0.2 on the first.
  EXPECT_EQ(placement.processor, (Where{0, 1, 0, 1}));
  EXPECT_DOUBLE_EQ(placement.utilisation[0], 0.7);
  EXPECT_DOUBLE_EQ(placement.utilisation[1], 0.7);
}

TEST(PlacementTest, SpreadsTasksOfUnknownUtilisationByTheirNumber) {
  EXPECT_EQ(place(loads({0, 0, 0, 0, 0}), {}, 2).processor, (Where{0, 1, 0, 1, 0}));
  EXPECT_EQ(place(loads({0, 0.1, 0}), {}, 2).processor, (Where{1, 0, 1}));
}

TEST(PlacementTest, KeepsWhatIsBoundWhole) {
  // Together the three tasks have 0.6, so they are placed first, and alone.
  const std::vector<Bond> bonds = {{0, 4}, {4, 2}};
  const Placement placement = place(loads({0.2, 0.5, 0.2, 0.1, 0.2}), bonds, 2);
  EXPECT_EQ(placement.processor, (Where{0, 1, 0, 1, 0}));
  EXPECT_DOUBLE_EQ(placement.utilisation[0], 0.6);
}

TEST(PlacementTest, TakesWhatHasItsProcessorThereWithItsPiece) {
  std::vector<Placeable> tasks = loads({0.1, 0.6, 0.3, 0.2});
  tasks[0].processor = 1;
  const Placement placement = place(tasks, {{3, 0}}, 2);
  EXPECT_EQ(placement.processor, (Where{1, 0, 1, 1}));
  // The tasks that are bound to a processor are placed first, however small they are.
  tasks = loads({0.9, 0.1, 0.8});
  tasks[0].processor = 0;
  EXPECT_EQ(place(tasks, {}, 2).processor, (Where{0, 1, 1}));
}

TEST(PlacementTest, MayPutMoreOnAProcessorThanItHolds) {
  EXPECT_GT(place(loads({0.9, 0.9, 0.9}), {}, 2).utilisation[0], 1.0);
}

TEST(PlacementTest, OfOneProcessorAndOfNothing) {
  EXPECT_EQ(place(loads({0.9, 0.9}), {{0, 1}}, 1).processor, (Where{0, 0}));
  const Placement nothing = place({}, {}, 3);
  EXPECT_TRUE(nothing.processor.empty());
  EXPECT_EQ(nothing.utilisation, (std::vector<double>{0, 0, 0}));
}

TEST(PlacementTest, RefusesWhatIsPlacedApartAndMustBeTogether) {
  const std::vector<Placeable> tasks = {
      {"lidar/tick", 0.1, 0}, {"fusion/update"}, {"planner/plan", 0.2, 1}};
  const std::vector<Bond> bonds = {{0, 1}, {1, 2, "are a pair"}};
  EXPECT_EQ(error_of(tasks, bonds),
            "'fusion/update' and 'planner/plan' are a pair, so they must be on one processor, but "
            "'fusion/update' belongs with 'lidar/tick', which is on processor 0, and "
            "'planner/plan' is on processor 1");
  EXPECT_EQ(error_of(tasks, {{0, 1}}), "");
}

TEST(PlacementTest, HoldsTogetherWhatNeedNotBeWhereItCan) {
  std::vector<Placeable> tasks = {{"n/a", 0.4}, {"n/b", 0.3}, {"n/c", 0.2}};
  const std::vector<Bond> bonds = {{0, 1, "", false}, {1, 2}};
  EXPECT_EQ(place(tasks, bonds, 2).processor, (Where{0, 0, 0}));
  tasks[0].processor = 0;
  tasks[2].processor = 1;
  EXPECT_EQ(place(tasks, bonds, 2).processor, (Where{0, 1, 1}));
}

TEST(PlacementTest, RefusesProcessorsThatThereAreNot) {
  EXPECT_EQ(error_of({{"n/a", 0, 2}}, {}),
            "task 'n/a' is placed on processor 2, and there is only 0 to 1");
  EXPECT_EQ(error_of({{"n/a", 0, 1}}, {}, 1),
            "task 'n/a' is placed on processor 1, and there is only 0");
  EXPECT_NE(error_of({}, {}, 0), "");
}

TEST(PlacementTest, RefusesAUtilisationThatIsNone) {
  for (const double wrong :
       {-0.1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(error_of(loads({wrong}), {}), "") << wrong;
  }
}

TEST(PlacementTest, OfRandomTasksKeepsTheRules) {
  std::mt19937_64 random(testing::random_seed());
  const auto below = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 300; ++round) {
    const std::size_t processors = 1 + below(4);
    const std::size_t n = 1 + below(30);
    std::vector<Placeable> tasks;
    for (std::size_t i = 0; i < n; ++i) {
      tasks.push_back({"n/a", static_cast<double>(below(5)) / 10,
                       below(8) == 0 ? below(processors) : anywhere});
    }
    std::vector<Bond> bonds;
    for (std::size_t i = below(n); i > 0; --i) bonds.push_back({below(n), below(n)});
    Placement placement;
    try {
      placement = place(tasks, bonds, processors);
    } catch (const std::invalid_argument &) {
      continue;
    }
    ASSERT_EQ(placement.processor.size(), n);
    std::vector<double> sums(processors, 0);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_LT(placement.processor[i], processors);
      if (tasks[i].processor != anywhere) {
        ASSERT_EQ(placement.processor[i], tasks[i].processor);
      }
      sums[placement.processor[i]] += tasks[i].utilisation;
    }
    for (const Bond & bond : bonds) {
      ASSERT_EQ(placement.processor[bond.a], placement.processor[bond.b]);
    }
    for (std::size_t i = 0; i < processors; ++i)
      ASSERT_NEAR(sums[i], placement.utilisation[i], 1e-9);
    const bool free = std::all_of(tasks.begin(), tasks.end(), [](const Placeable & task) {
      return task.processor == anywhere;
    });
    if (!free || !bonds.empty()) continue;
    // A property of worst fit: no two processors differ by more than the largest task.
    for (const Placeable & task : tasks) largest = std::max(largest, task.utilisation);
    const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
    ASSERT_LE(*most - *least, largest + 1e-9);
  }
}

}  // namespace
}  // namespace takt::model
