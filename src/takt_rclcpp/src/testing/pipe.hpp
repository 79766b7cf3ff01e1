// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "testing/background.hpp"

namespace takt::rclcpp::testing {

/// A named pipe, from which the callback of a component reads: it is stuck until let_go().
class Pipe {
 public:
  explicit Pipe(std::string path) : path_(std::move(path)) {
    EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
  }
  ~Pipe() {
    let_go();
    std::filesystem::remove(path_);
  }
  Pipe(const Pipe &) = delete;
  Pipe & operator=(const Pipe &) = delete;

  const std::string & path() const { return path_; }
  /// Waits until a callback is stuck; returns false if none is.
  bool holds() {
    return eventually([this] {
      end_ = open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      return end_ >= 0;
    });
  }
  void let_go() {
    if (end_ >= 0) close(end_);
    end_ = -1;
  }

 private:
  const std::string path_;
  int end_ = -1;
};

}  // namespace takt::rclcpp::testing
