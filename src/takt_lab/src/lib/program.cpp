// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/threads.hpp>

#include "error.hpp"

namespace takt::lab {

void write_json(const std::string & path, const nlohmann::ordered_json & json) {
  const std::string temporary = path + ".partial";
  errno = 0;
  std::ofstream file(temporary);
  // Names from outside may contain invalid UTF-8, for which a result must not be lost.
  file << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw Error(path + ": cannot be written: " + reason);
  }
}

void announce(model::Time t0) {
  std::printf("t0 %lld\n", static_cast<long long>(t0));
  std::fflush(stdout);
}

void announce_files() {
  std::puts("files");
  std::fflush(stdout);
}

std::vector<int> thread_ids() {
  std::vector<int> ids;
  for (const os::ThreadInfo & thread : os::threads_of_process()) ids.push_back(thread.tid);
  return ids;
}

std::vector<int> confine_process(const std::vector<int> & cpus) {
  const auto is_there = [](int tid) {
    const auto threads = os::threads_of_process();
    return std::any_of(threads.begin(), threads.end(),
                       [tid](const os::ThreadInfo & thread) { return thread.tid == tid; });
  };
  std::vector<int> others;
  for (const os::ThreadInfo & thread : os::threads_of_process()) {
    const os::Granted granted = os::confine(thread.tid, cpus);
    if (!granted.ok()) {
      if (!is_there(thread.tid)) continue;  // ended in the meantime
      throw Error(granted.error);
    }
    if (thread.tid != os::thread_id()) others.push_back(thread.tid);
  }
  return others;
}

void make_folder(const std::string & path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(path + ": cannot be created: " + error.message());
}

}  // namespace takt::lab
