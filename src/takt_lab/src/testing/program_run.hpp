// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/rights.hpp>
#include <vector>

namespace takt::lab::testing {

/// A new temporary folder, which is removed with all its files at the end of the scope.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "takt_lab_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder & operator=(const Folder &) = delete;

  std::string operator/(const std::string & name) const { return (path_ / name).string(); }
  std::string write(const std::string & name, const std::string & text) const {
    std::ofstream(path_ / name) << text;
    return *this / name;
  }
  std::size_t files() const {
    using Entries = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(Entries(path_), Entries()));
  }

 private:
  std::filesystem::path path_;
};

inline std::string text_of(const std::string & path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline long lines(const std::string & text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// A program of the lab, from the folder of this test's executable, in a process of its own.
class Program {
 public:
  Program(const std::string & name, const std::vector<std::string> & arguments) {
    const std::string path =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
    std::vector<std::string> all = {path};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string & argument : all) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const auto & [descriptor, file] : {std::pair{1, out_path()}, std::pair{2, err_path()}}) {
      posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    const int error = posix_spawn(&pid_, path.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start " + path);
  }
  ~Program() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }
  Program(const Program &) = delete;
  Program & operator=(const Program &) = delete;

  void terminate() const { ::kill(pid_, SIGTERM); }
  /// Waits for the end and returns the exit status; 128 + n if signal n ended the process.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string out() const { return text_of(out_path()); }
  std::string err() const { return text_of(err_path()); }

  /// Returns whether this is a line of the output, among which there may be lines of the middleware.
  bool printed(const std::string & line) const {
    return ("\n" + out()).find("\n" + line + "\n") != std::string::npos;
  }
  /// Waits until the program has printed this line. Returns false if it ended before, or after a minute.
  bool prints(const std::string & line) const {
    return until([&] { return printed(line); });
  }
  /// Waits in the same way until the program has a thread of this name.
  bool has_thread(const std::string & name) const {
    return until([&] {
      std::error_code ignored;
      const std::string folder = "/proc/" + std::to_string(pid_) + "/task";
      for (const auto & entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (text_of(entry.path() / "comm") == name + "\n") return true;
      }
      return false;
    });
  }

 private:
  std::string out_path() const { return files_ / "out"; }
  std::string err_path() const { return files_ / "err"; }

  template <typename Condition>
  bool until(Condition condition) const {
    const os::Time limit = os::now() + 60'000'000'000;
    while (os::now() < limit) {
      if (condition()) return true;
      siginfo_t info{};
      waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid != 0) return condition();
      os::sleep_until(os::now() + 2'000'000);
    }
    return false;
  }

  Folder files_;
  pid_t pid_ = 0;
};

/// Returns the number of a CPU that this process may use.
inline std::string a_cpu() {
  return std::to_string(os::allowed_cpus().front());
}

}  // namespace takt::lab::testing
