// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <cstdio>
#include <utility>

#include "takt_core/executor/standard_error.hpp"

namespace takt::executor {
namespace {

constexpr std::size_t most_lines = 64;

}  // namespace

void write_to_standard_error(const std::string & line) {
  std::fprintf(stderr, "takt: %s\n", line.c_str());
}

Log::Log(std::function<void(const std::string &)> write, os::LockRank writing)
    : write_(write ? std::move(write) : write_to_standard_error), writing_(writing) {}

void Log::write(const std::string & line) {
  const os::Lock lock(writing_);
  write_(line);
}

void Log::write_later(std::string line) {
  const os::Lock lock(mutex_);
  if (kept_.size() < most_lines) {
    kept_.push_back(std::move(line));
  } else {
    ++dropped_;
  }
}

void Log::flush() {
  std::vector<std::string> lines;
  std::size_t dropped = 0;
  {
    const os::Lock lock(mutex_);
    lines.swap(kept_);
    std::swap(dropped, dropped_);
  }
  for (const std::string & line : lines) write(line);
  if (dropped > 0) write(std::to_string(dropped) + " further warnings were dropped");
}

}  // namespace takt::executor
