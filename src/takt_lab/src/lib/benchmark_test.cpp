// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "benchmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error.hpp"
#include "npy.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using ::testing::ElementsAre;

TEST(TurnsTest, BeginWithAnotherInEachRound) {
  EXPECT_THAT(turns(0, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(turns(4, 3), ElementsAre(1, 2, 0));
  EXPECT_TRUE(turns(1, 0).empty());
}

TEST(SamplesTest, AreKeptWithinTheirRoomAndTheRestIsCounted) {
  const testing::Folder folder;
  BenchmarkArguments arguments;
  arguments.out = folder / "";
  Samples samples({"one", "other"}, 2);
  EXPECT_THROW(samples.write("name", arguments, {}), Error);
  for (std::uint32_t round = 0; round < 3; ++round) {
    samples.add({.round = round, .variant = 1, .x = 10, .at = 5, .value = 0.5});
  }
  samples.write("name", arguments, {}, {{"more", 7}});
  const auto rows = read_npy<SampleRow>(folder / "name.samples.npy");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].round, 1u);
  EXPECT_EQ(rows[1].value, 0.5);
  const auto json = nlohmann::json::parse(testing::text_of(folder / "name.json"));
  EXPECT_EQ(json["samples"], 2);
  EXPECT_EQ(json["dropped"], 1);
  EXPECT_EQ(json["more"], 7);
  EXPECT_EQ(json["variants"][1], "other");
}

}  // namespace
}  // namespace takt::lab
