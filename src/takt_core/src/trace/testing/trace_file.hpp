// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "takt_core/trace/event.hpp"

namespace takt::trace::testing {

/// A temporary trace file, removed by the destructor, and its contents.
class TraceFile {
 public:
  TraceFile() {
    static std::atomic<int> number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("takt-trace-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile &) = delete;
  TraceFile & operator=(const TraceFile &) = delete;

  std::string path() const { return path_.string(); }

  /// All events except texts.
  std::vector<Event> events() const {
    std::vector<Event> events;
    for (const Event & event : records()) {
      if (event.kind != Kind::text) events.push_back(event);
    }
    return events;
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines(1);
    for (const Event & event : records()) {
      if (event.kind != Kind::text) continue;
      std::string part(event.task, '\0');
      std::memcpy(part.data(), &event, part.size());
      for (const char c : part) {
        if (c == '\n') {
          lines.emplace_back();
        } else {
          lines.back() += c;
        }
      }
    }
    lines.pop_back();
    return lines;
  }

 private:
  /// All records except the header.
  std::vector<Event> records() const {
    std::ifstream file(path_, std::ios::binary);
    std::vector<Event> records;
    for (Event record; file.read(reinterpret_cast<char *>(&record), sizeof(record));) {
      records.push_back(record);
    }
    records.erase(records.begin());
    return records;
  }

  std::filesystem::path path_;
};

}  // namespace takt::trace::testing
