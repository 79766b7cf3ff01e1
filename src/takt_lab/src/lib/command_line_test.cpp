// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>

#include "error.hpp"

namespace takt::lab {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Outcome {
  int status;
  std::string errors;
};

/// Runs a command line with these arguments and the options that `describe` adds, and returns its outcome.
Outcome parsed(
    std::vector<std::string> words, const std::function<void(CommandLine &)> & describe,
    const std::function<void()> & body = [] {}) {
  words.insert(words.begin(), "/some/where/example");
  std::vector<char *> argv;
  for (std::string & word : words) argv.push_back(word.data());
  CommandLine line("example", "An example");
  describe(line);
  ::testing::internal::CaptureStderr();
  const int status = line.run(static_cast<int>(argv.size()), argv.data(), body);
  return {status, ::testing::internal::GetCapturedStderr()};
}

Outcome run(const std::vector<std::string> & words, const std::function<void()> & body) {
  int number = 0;
  int other = 0;
  const auto describe = [&](CommandLine & line) {
    line.option("--number", number, "A number").required().above_zero();
    line.option("--other", other, "Another").not_negative();
  };
  return parsed(words, describe, body);
}

TEST(CommandLineTest, EndsWithZeroWhenItDidWhatWasAsked) {
  bool ran = false;
  const Outcome outcome = run({"--number", "3"}, [&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST(CommandLineTest, AnErrorIsOneLine) {
  const Outcome outcome = run({"--number", "3"}, [] { throw Error("no such\nthing"); });
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors, "example: no such thing\n");
}

TEST(CommandLineTest, AWrongCommandLineIsOneLine) {
  const Outcome outcome = run({}, [] { FAIL(); });
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors, "example: --number is required; see --help\n");
  EXPECT_EQ(run({"--number", "0"}, [] {}).errors,
            "example: --number: must be above 0, not 0; see --help\n");
  EXPECT_EQ(run({"--number", "1", "--other", "-1"}, [] {}).errors,
            "example: --other: must be 0 or more, not -1; see --help\n");
  EXPECT_EQ(run({"--number", "1", "--other", "0"}, [] {}).status, 0);
  EXPECT_EQ(run({"--number", "x"}, [] {}).status, 2);
}

TEST(CommandLineTest, ReadsValuesOfEveryType) {
  std::int64_t period = 0;
  std::uint32_t rate = 0;
  std::uint64_t samples = 0;
  std::string tag;
  bool awake = false;
  std::optional<std::size_t> domain;
  std::optional<std::uint32_t> node;
  std::optional<std::uint32_t> not_given;
  std::vector<int> cpus;
  std::vector<std::uint32_t> sizes{1, 2};
  std::vector<std::size_t> placement;
  const auto describe = [&](CommandLine & line) {
    line.option("--period", period, "");
    line.option("--rate", rate, "");
    line.option("--samples", samples, "");
    line.option("--tag", tag, "");
    line.flag("--awake", awake, "");
    line.option("--domain", domain, "");
    line.option("--node", node, "");
    line.option("--not-given", not_given, "");
    line.option("--cpu", cpus, "").separated_by(',');
    line.option("--sizes", sizes, "");
    line.option("--placement", placement, "").separated_by(',');
  };
  const Outcome outcome =
      parsed({"--period", "5000000000", "--rate",   "50", "--samples",   "6000000000", "--tag",
              "a b",      "--awake",    "--domain", "7",  "--node",      "0",          "--cpu",
              "0,1",      "--sizes",    "3",        "4",  "--placement", "1,0"},
             describe);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(period, 5'000'000'000);
  EXPECT_EQ(rate, 50u);
  EXPECT_EQ(samples, 6'000'000'000u);
  EXPECT_EQ(tag, "a b");
  EXPECT_TRUE(awake);
  EXPECT_EQ(domain, 7u);
  EXPECT_EQ(node, 0u);
  EXPECT_EQ(not_given, std::nullopt);
  EXPECT_THAT(cpus, ElementsAre(0, 1));
  EXPECT_THAT(sizes, ElementsAre(3, 4));
  EXPECT_THAT(placement, ElementsAre(1, 0));
}

TEST(CommandLineTest, SaysWhatAnOptionWants) {
  int priority = 0;
  std::string side;
  const auto describe = [&](CommandLine & line) {
    line.option("--priority", priority, "").within(0, 98);
    line.option("--side", side, "").one_of({"near", "far"});
  };
  EXPECT_EQ(parsed({"--priority", "98", "--side", "far"}, describe).status, 0);
  const Outcome high = parsed({"--priority", "99"}, describe);
  EXPECT_EQ(high.status, 2);
  EXPECT_THAT(high.errors, AllOf(HasSubstr("--priority: "), HasSubstr("99"), HasSubstr("98")));
  const Outcome elsewhere = parsed({"--side", "there"}, describe);
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_THAT(elsewhere.errors, AllOf(HasSubstr("--side: "), HasSubstr("near,far")));
}

TEST(CommandLineTest, TheHelpShowsDefaults) {
  int rounds = 12;
  int depth = 0;
  ::testing::internal::CaptureStdout();
  const Outcome outcome = parsed({"--help"}, [&](CommandLine & line) {
    line.option("--rounds", rounds, "How often").shows_default();
    line.option("--depth", depth, "How deep").shows_default("as deep as can be");
  });
  const std::string help = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(help, HasSubstr("12"));
  EXPECT_THAT(help, HasSubstr("as deep as can be"));
}

TEST(CommandLineTest, AFlagMayTakeThePlaceOfEverythingElse) {
  int acts = 0;
  int number = 0;
  const Outcome outcome = parsed({"--what"}, [&](CommandLine & line) {
    line.option("--number", number, "").required();
    line.only("--what", [&acts] { ++acts; }, "");
  });
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(acts, 1);
}

}  // namespace
}  // namespace takt::lab
