// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "partition.hpp"

#include <gtest/gtest.h>

#include <string>

#include "error.hpp"
#include "testing/example_spec.hpp"

namespace takt::lab {
namespace {

using Where = std::vector<std::size_t>;
using nlohmann::json;

// sensor/sample and sensor/late exclude each other; filter/update reads a, planner/plan a and b.
Spec spec(const json & more = json::object()) {
  json example = testing::example_spec();
  for (const auto & [pointer, value] : more.items()) example[json::json_pointer(pointer)] = value;
  return parse_spec(example.dump(), "x.json");
}

Where places(const Spec & of, const Where & given = {}) {
  return Partition(of, 2, given).placement().processor;
}

TEST(PartitionTest, IsByWorstCasesWithGroupsWhole) {
  EXPECT_EQ(places(spec()), (Where{0, 0, 1, 1}));
  const Spec of = spec({{"/nodes/2/callbacks/0/wcet_ns", 30'000'000}});
  EXPECT_EQ(places(of), (Where{1, 1, 1, 0}));
  EXPECT_EQ(Partition(of, 2, {}).tasks(1), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(PartitionTest, IsAsTheSpecSaysOrAsGiven) {
  const Spec of = spec({{"/nodes/0/callbacks/1/processor", 1}});
  EXPECT_EQ(places(of), (Where{1, 1, 0, 0}));
  EXPECT_EQ(places(of, {0, 0, 1, 0}), (Where{0, 0, 1, 0}));
  EXPECT_THROW(places(of, {0, 0}), Error);
  EXPECT_THROW(places(of, {0, 1, 0, 0}), Error);
}

TEST(PartitionTest, ReadersOfYoungDataAreWithWhoRefreshesIt) {
  const json bounded = {{"/nodes/1/callbacks/0/max_age_ns", {20'000'000}}};
  EXPECT_EQ(places(spec(bounded)), (Where{0, 0, 0, 1}));
  EXPECT_THROW(places(spec(bounded), {0, 0, 1, 1}), Error);
  json tolerant = bounded;
  tolerant["/nodes/1/callbacks/0/on_stale"] = "skip";
  EXPECT_EQ(places(spec(tolerant), {0, 0, 1, 1}), (Where{0, 0, 1, 1}));
  // The age of data from another processor is not known, so it has no bound.
  const Spec of = spec(tolerant);
  EXPECT_EQ(Partition(of, 2, {0, 0, 1, 1}).data(2).inputs[0].max_age, model::never);
  EXPECT_EQ(Partition(of, 2, {0, 0, 0, 1}).data(2).inputs[0].max_age, 20'000'000);
}

}  // namespace
}  // namespace takt::lab
