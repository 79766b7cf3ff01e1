// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <takt_core/os/rights.hpp>

#include "error.hpp"

namespace takt::lab {
namespace {

struct Outcome {
  int status;
  std::string errors;
};

Outcome run(std::vector<std::string> arguments, const std::function<void()> & body) {
  arguments.insert(arguments.begin(), "/some/where/example");
  std::vector<char *> argv;
  for (std::string & argument : arguments) argv.push_back(argument.data());
  CLI::App app("An example", "example");
  int number = 0;
  app.add_option("--number", number)->required()->check(above_zero());
  int other = 0;
  app.add_option("--other", other)->check(not_negative());
  ::testing::internal::CaptureStderr();
  const int status = run_program(app, static_cast<int>(argv.size()), argv.data(), body);
  return {status, ::testing::internal::GetCapturedStderr()};
}

TEST(Program, EndsWithZeroWhenItDidWhatWasAsked) {
  bool ran = false;
  const Outcome outcome = run({"--number", "3"}, [&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST(Program, AnErrorIsOneLine) {
  const Outcome outcome = run({"--number", "3"}, [] { throw Error("no such\nthing"); });
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors, "example: no such thing\n");
}

TEST(Program, AWrongCommandLineIsOneLine) {
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

TEST(Program, JsonIsWrittenWhole) {
  const std::string path = ::testing::TempDir() + "takt_program_" + std::to_string(getpid());
  write_json(path, {{"a", 1}, {"name", "\xff"}});
  const auto json = nlohmann::json::parse(std::ifstream(path));
  EXPECT_EQ(json["a"], 1);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  std::filesystem::remove(path);
  EXPECT_THROW(write_json("/no/such/folder/x.json", {}), Error);
}

TEST(Program, ACpuThatDoesNotExistIsNamed) {
  try {
    confine_process({1023});
    FAIL();
  } catch (const Error & error) {
    EXPECT_EQ(std::string(error.what()).find("CPU 1023 refused"), 0u) << error.what();
  }
}

TEST(Program, AFolderThatCannotBeIsNamed) {
  EXPECT_THROW(make_folder("/proc/nowhere/x"), Error);
  make_folder(::testing::TempDir());
}

}  // namespace
}  // namespace takt::lab
