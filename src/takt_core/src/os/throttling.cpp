// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/throttling.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <locale>
#include <memory>
#include <sstream>

namespace takt::os {
namespace {

// The same rules as in `takt doctor` (takt_cli/doctor/kernel.py, tuning/fair_server.py).

constexpr const char * servers = "sys/kernel/debug/sched/fair_server";

std::string text_of(const std::string & path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool exists(const std::string & path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

/// The number in a file; -1 if it cannot be read.
long long number_of(const std::string & path) {
  long long number = -1;
  std::ifstream(path) >> number;
  return number;
}

std::string in_place(const std::string & root, const std::string & path) {
  return root + (root.ends_with('/') ? "" : "/") + path;
}

/// Whether the kernel's version has the fair server.
bool may_have_fair_server(const std::string & root) {
  int major = 0;
  int minor = 0;
  const std::string release = text_of(in_place(root, "proc/sys/kernel/osrelease"));
  const char * const end = release.data() + release.size();
  const char * const dot = std::from_chars(release.data(), end, major).ptr;
  if (dot == end || *dot != '.') return false;
  std::from_chars(dot + 1, end, minor);
  return major > 6 || (major == 6 && minor >= 12);
}

/// The contents of a compressed file, such as the kernel's configuration; empty if it cannot be
/// read. zlib is loaded at run time, if present, since nothing else here needs it.
std::string uncompressed(const std::string & path) {
  if (!exists(path)) return {};
  const std::unique_ptr<void, int (*)(void *)> library(dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL),
                                                       [](void * z) { return dlclose(z); });
  if (library == nullptr) return {};
  const auto open =
      reinterpret_cast<void * (*)(const char *, const char *)>(dlsym(library.get(), "gzopen"));
  const auto read =
      reinterpret_cast<int (*)(void *, void *, unsigned)>(dlsym(library.get(), "gzread"));
  const auto close = reinterpret_cast<int (*)(void *)>(dlsym(library.get(), "gzclose"));
  if (open == nullptr || read == nullptr || close == nullptr) return {};
  void * const file = open(path.c_str(), "rb");
  if (file == nullptr) return {};
  std::string text;
  std::array<char, 16384> piece;
  for (int length = 0; (length = read(file, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(length));
  }
  close(file);
  return text;
}

/// Whether the kernel is known to be built without RT_GROUP_SCHED, without which kernels from 6.12
/// on do not throttle real-time threads.
bool has_no_throttling(const std::string & root) {
  const auto known = [](const std::string & config) {
    return config.find("CONFIG_") != config.npos;
  };
  std::string config = uncompressed(in_place(root, "proc/config.gz"));
  if (!known(config)) {
    const std::string release = text_of(in_place(root, "proc/sys/kernel/osrelease"));
    std::ifstream file(in_place(root, "boot/config-" + release));
    config.assign(std::istreambuf_iterator<char>(file), {});
  }
  return known(config) && config.find("CONFIG_RT_GROUP_SCHED=y\n") == std::string::npos;
}

bool fair_server_throttles_instead(const std::string & root) {
  const auto find_out = [&root] { return may_have_fair_server(root) && has_no_throttling(root); };
  if (root != "/") return find_out();
  static const bool of_this_kernel = find_out();  // reading it takes a millisecond
  return of_this_kernel;
}

std::string milliseconds(long long ns) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << static_cast<double>(ns) / 1e6;
  return text.str();
}

}  // namespace

std::string realtime_throttling(const std::string & root) {
  const long long runtime = number_of(in_place(root, "proc/sys/kernel/sched_rt_runtime_us"));
  const long long period = number_of(in_place(root, "proc/sys/kernel/sched_rt_period_us"));
  if (runtime < 0 || runtime >= period || fair_server_throttles_instead(root)) return {};
  return "real-time throttling is on: real-time threads get at most " + std::to_string(runtime) +
         " of every " + std::to_string(period) +
         " us; switch it off with `sudo sysctl kernel.sched_rt_runtime_us=-1`";
}

std::string fair_server(int cpu, const std::string & root) {
  const std::string all = in_place(root, servers);
  const std::string own = all + "/cpu" + std::to_string(cpu);
  const long long runtime = number_of(own + "/runtime");
  const long long period = number_of(own + "/period");
  const bool known = runtime >= 0 && period > 0;
  std::string state = "is on: ordinary threads get ";
  if (known) {
    if (runtime == 0) return {};
    state += milliseconds(runtime) + " of every " + milliseconds(period) + " ms";
  } else {
    // If debugfs is readable, a missing file means that this kernel has no fair server.
    const bool hidden = exists(all) ? exists(own)
                                    : may_have_fair_server(root) &&
                                          !exists(in_place(root, "sys/kernel/debug/sched"));
    if (!hidden) return {};
    state =
        "may be on, as debugfs cannot be read: ordinary threads then get 50 of every 1000 ms (the "
        "default)";
  }
  return "the fair server " + state + " of CPU " + std::to_string(cpu) +
         " even if real-time threads would use all of it, whether throttling is on or off; "
         "`takt tune apply --profile unthrottled --cpu " +
         std::to_string(cpu) + "` switches it off, unless debugfs is locked";
}

}  // namespace takt::os
