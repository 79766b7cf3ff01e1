// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "error.hpp"

namespace takt::lab {
namespace {

namespace fs = std::filesystem;

class NpyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("takt_npy_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    path_ = (folder_ / "rows.npy").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void put(const std::string & text) const { std::ofstream(path_, std::ios::binary) << text; }

  fs::path folder_;
  std::string path_;
};

std::vector<JobRow> jobs(std::size_t count) {
  std::vector<JobRow> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = {static_cast<std::uint32_t>(i), 2, i * 3, -1, 1LL << 40, 5, -7, 6, 1LL << 41};
  }
  return rows;
}

TEST_F(NpyTest, AFullDiskIsNamed) {
  // Writing to /dev/full always fails, as on a full disk.
  fs::create_symlink("/dev/full", path_ + ".partial");
  try {
    write_npy<JobRow>(path_, jobs(10));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error & error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(path_), std::string::npos) << what;
    EXPECT_NE(what.find("No space left on device"), std::string::npos) << what;
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(NpyTest, WhatIsWrittenIsRead) {
  for (const std::size_t count : {0u, 1u, 9u, 10u, 12345u}) {
    const auto written = jobs(count);
    write_npy<JobRow>(path_, written);
    const auto read = read_npy<JobRow>(path_);
    ASSERT_EQ(read.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(read[i].task, written[i].task);
      EXPECT_EQ(read[i].index, written[i].index);
      EXPECT_EQ(read[i].cpu, written[i].cpu);
      EXPECT_EQ(read[i].dispatch_cpu, written[i].dispatch_cpu);
    }
  }
}

TEST_F(NpyTest, TheHeaderIsNumpys) {
  write_npy<StallRow>(path_, std::vector<StallRow>{{0, 1, 2}, {0, 3, 4}});
  const std::string file = bytes();
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = static_cast<unsigned char>(file[8]);
  EXPECT_EQ((10 + length) % 64, 0u);
  EXPECT_EQ(file[9 + length], '\n');
  EXPECT_EQ(file.substr(10, 104),
            "{'descr': [('cpu', '<i8'), ('from', '<i8'), ('to', '<i8')], 'fortran_order': False, "
            "'shape': (2,), }    ");
  EXPECT_EQ(file.size(), 10 + length + 48);
}

TEST_F(NpyTest, RowsMayComeInPieces) {
  const auto rows = jobs(1000);
  NpyWriter<JobRow> writer(path_);
  for (std::size_t i = 0; i < rows.size(); i += 100) writer.append({rows.data() + i, 100});
  writer.commit();
  EXPECT_EQ(read_npy<JobRow>(path_).size(), 1000u);
}

TEST_F(NpyTest, WithoutCommitNothingIsLeft) {
  {
    NpyWriter<JobRow> writer(path_);
    writer.append(jobs(10));
    EXPECT_FALSE(fs::exists(path_));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(NpyTest, DamagedFilesAreRefused) {
  EXPECT_THROW(read_npy<JobRow>(path_), Error);  // does not exist
  write_npy<JobRow>(path_, jobs(3));
  EXPECT_THROW(read_npy<StallRow>(path_), Error);
  const std::string whole = bytes();
  for (const std::size_t keep : {0u, 9u, 50u, 127u}) {
    put(whole.substr(0, keep));
    EXPECT_THROW(read_npy<JobRow>(path_), Error) << keep;
  }
  put(whole.substr(0, whole.size() - 1));
  EXPECT_THROW(read_npy<JobRow>(path_), Error);
  put(whole + "x");
  EXPECT_THROW(read_npy<JobRow>(path_), Error);
  std::string shape = whole;
  shape.replace(shape.find("(3,)"), 4, "(3x)");
  put(shape);
  EXPECT_THROW(read_npy<JobRow>(path_), Error);
  std::string huge = whole;
  huge.replace(huge.find("(3,), }           "), 18, "(99999999999999,),");
  put(huge);
  EXPECT_THROW(read_npy<JobRow>(path_), Error);
}

TEST_F(NpyTest, AFolderThatDoesNotExistIsNamed) {
  try {
    NpyWriter<JobRow> writer("/no/such/folder/x.npy");
    FAIL();
  } catch (const Error & error) {
    EXPECT_STREQ(error.what(),
                 "/no/such/folder/x.npy.partial: cannot be written: No such file or directory");
  }
}

}  // namespace
}  // namespace takt::lab
