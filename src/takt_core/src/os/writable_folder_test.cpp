// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/writable_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace takt::os {
namespace {

TEST(WritableFolderTest, IsMadeWithThoseAboveIt) {
  const std::filesystem::path top =
      std::filesystem::temp_directory_path() / ("takt_folder." + std::to_string(getpid()));
  EXPECT_EQ(folder_fault(top / "one/two"), "");
  EXPECT_TRUE(std::filesystem::is_directory(top / "one/two"));
  EXPECT_EQ(folder_fault(top / "one/two"), "");
  std::filesystem::remove_all(top);
}

TEST(WritableFolderTest, WhatCannotBeOneIsTold) {
  EXPECT_EQ(folder_fault("/dev/null/none"), "'/dev/null/none' cannot be written: Not a directory");
}

}  // namespace
}  // namespace takt::os
