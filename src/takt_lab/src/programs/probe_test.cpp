// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "npy.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using Arguments = std::vector<std::string>;
using testing::Folder;
using testing::Program;

void check(const Folder & folder, std::int64_t period, std::int64_t threshold) {
  const auto json = nlohmann::json::parse(testing::text_of(folder / "stalls.json"));
  EXPECT_EQ(json["asked"], 99);
  EXPECT_EQ(json["period_ns"], period);
  EXPECT_EQ(json["threshold_ns"], threshold);
  EXPECT_LT(json["from"], json["to"]);
  EXPECT_GT(json["wakeups"], 0);
  EXPECT_LE(json["wakeups"],
            (json["to"].get<std::int64_t>() - json["from"].get<std::int64_t>()) / period);
  const auto stalls = read_npy<StallRow>(folder / "stalls.npy");
  EXPECT_EQ(json["stalls"], stalls.size());
  std::int64_t last = json["from"];
  for (const StallRow & stall : stalls) {
    EXPECT_EQ(std::to_string(stall.cpu), testing::a_cpu());
    EXPECT_GT(stall.from, last);
    EXPECT_GT(stall.to - stall.from, threshold);
    EXPECT_LE(stall.to, json["to"]);
    last = stall.to;
  }
}

TEST(ProbeTest, WatchesForTheTimeGiven) {
  const Folder folder;
  Program probe("probe", {"--cpu", testing::a_cpu(), "--duration-ns", "50000000", "--period-ns",
                          "250000", "--threshold-ns", "0", "--out", folder / "stalls.npy"});
  EXPECT_EQ(probe.wait(), 0) << probe.err();
  check(folder, 250'000, 0);
}

TEST(ProbeTest, ASignalEndsItWithItsResults) {
  const Folder folder;
  Program probe("probe", {"--cpu", testing::a_cpu(), "--duration-ns", "1000000000000", "--out",
                          folder / "stalls.npy"});
  ASSERT_TRUE(probe.prints("ready")) << probe.err();
  probe.terminate();
  EXPECT_EQ(probe.wait(), 0) << probe.err();
  check(folder, 1'000'000, 100'000);
}

TEST(ProbeTest, SaysWhatIsWrong) {
  const Folder folder;
  const struct {
    Arguments arguments;
    const char * error;
  } cases[] = {
      {{"--cpu", "1023", "--duration-ns", "1", "--out", folder / "x.npy"}, "CPU 1023 refused"},
      {{"--cpu", "0", "--duration-ns", "1", "--out", folder / "x"}, "must end in .npy"},
      {{"--cpu", "0", "--duration-ns", "1", "--out", "/no/such/x.npy"}, "cannot be written"},
      {{"--cpu", "0", "--duration-ns", "0", "--out", folder / "x.npy"}, "must be above 0"},
      {{"--cpu", "0", "--duration-ns", "1", "--period-ns", "0", "--out", folder / "x.npy"},
       "must be above 0"},
  };
  for (const auto & item : cases) {
    Program probe("probe", item.arguments);
    EXPECT_NE(probe.wait(), 0);
    EXPECT_NE(probe.err().find(item.error), std::string::npos) << probe.err();
    EXPECT_EQ(testing::lines(probe.err()), 1) << probe.err();
  }
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace takt::lab
