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

TEST(ProgramTest, JsonIsWrittenWhole) {
  const std::string path = ::testing::TempDir() + "takt_program_" + std::to_string(getpid());
  write_json(path, {{"a", 1}, {"name", "\xff"}});
  const auto json = nlohmann::json::parse(std::ifstream(path));
  EXPECT_EQ(json["a"], 1);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  std::filesystem::remove(path);
  EXPECT_THROW(write_json("/no/such/folder/x.json", {}), Error);
}

TEST(ProgramTest, ACpuThatDoesNotExistIsNamed) {
  try {
    confine_process({1023});
    FAIL();
  } catch (const Error & error) {
    EXPECT_EQ(std::string(error.what()).find("CPU 1023 refused"), 0u) << error.what();
  }
}

TEST(ProgramTest, AFolderThatCannotBeIsNamed) {
  EXPECT_THROW(make_folder("/proc/nowhere/x"), Error);
  make_folder(::testing::TempDir());
}

}  // namespace
}  // namespace takt::lab
