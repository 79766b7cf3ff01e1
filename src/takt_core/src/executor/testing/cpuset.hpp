// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace takt::executor::testing {

/// A cpuset for the calling process, if it may create one, so that its CPUs can be changed while it
/// runs, as an administrator may do.
class Cpuset {
 public:
  Cpuset() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (const fs::path root : {"/sys/fs/cgroup/cpuset", "/sys/fs/cgroup"}) {
      if (!fs::exists(root / "cgroup.procs", ignored)) continue;
      const fs::path folder = root / ("takt_test_" + std::to_string(getpid()));
      if (!fs::create_directory(folder, ignored)) continue;
      home_ = root / home().relative_path();
      folder_ = folder;
      std::string memory;
      std::ifstream(root / "cpuset.mems") >> memory;
      if (memory.empty()) std::ifstream(root / "cpuset.mems.effective") >> memory;
      write(folder / "cpuset.mems", memory);
      return;
    }
  }
  ~Cpuset() {
    if (folder_.empty()) return;
    write(home_ / "cgroup.procs", std::to_string(getpid()));
    std::error_code ignored;
    std::filesystem::remove(folder_, ignored);
  }
  Cpuset(const Cpuset &) = delete;
  Cpuset & operator=(const Cpuset &) = delete;

  /// Sets the CPUs, such as "0-1". False if that is not possible.
  bool set(const std::string & cpus) const {
    return !folder_.empty() && write(folder_ / "cpuset.cpus", cpus);
  }
  /// Moves all threads of the process into the cpuset.
  bool enter() const { return write(folder_ / "cgroup.procs", std::to_string(getpid())); }

 private:
  /// The present cgroup of the process: in the cpuset hierarchy of cgroup v1, otherwise in that of
  /// v2.
  static std::filesystem::path home() {
    std::ifstream file("/proc/self/cgroup");
    std::string path = "/";
    for (std::string line; std::getline(file, line);) {
      const std::size_t first = line.find(':');
      const std::size_t second = line.find(':', first + 1);
      if (second == std::string::npos) continue;
      const std::string kind = line.substr(first + 1, second - first - 1);
      if (kind == "cpuset") return line.substr(second + 1);
      if (kind.empty()) path = line.substr(second + 1);
    }
    return path;
  }
  static bool write(const std::filesystem::path & path, const std::string & text) {
    std::ofstream file(path);
    file << text << std::flush;
    return file.good();
  }
  std::filesystem::path home_;
  std::filesystem::path folder_;
};

}  // namespace takt::executor::testing
