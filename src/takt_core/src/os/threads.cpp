// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/threads.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "own_threads.hpp"
#include "takt_core/os/event.hpp"

namespace takt::os {
namespace {

// The contents of a small file of /proc/self/task/TID, as far as they fit; empty if the thread has
// ended. Does not allocate.
template <std::size_t size>
std::string_view read_file(int tid, const char * file, char (&buffer)[size]) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", tid, file);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return {};
  }
  const ssize_t length = read(descriptor, buffer, size);
  close(descriptor);
  return {buffer, length > 0 ? static_cast<std::size_t>(length) : 0};
}

template <typename T>
T leading_number(std::string_view text) noexcept {
  T number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

ThreadInfo look(int tid) {
  ThreadInfo info;
  info.tid = tid;
  char buffer[64];
  info.name = read_file(tid, "comm", buffer);
  if (!info.name.empty() && info.name.back() == '\n') {
    info.name.pop_back();
  }
  const int policy = sched_getscheduler(tid);
  info.policy = policy < 0 ? 0 : policy & ~SCHED_RESET_ON_FORK;
  info.priority = realtime_priority(tid);
  info.cpu = pinned_cpu(tid);
  info.cpu_ns = leading_number<Time>(read_file(tid, "schedstat", buffer));
  info.own = is_own_thread(tid);
  return info;
}

}  // namespace

const char * policy_name(int policy) noexcept {
  switch (policy) {
    case SCHED_OTHER:
      return "OTHER";
    case SCHED_FIFO:
      return "FIFO";
    case SCHED_RR:
      return "RR";
    case SCHED_BATCH:
      return "BATCH";
    case SCHED_IDLE:
      return "IDLE";
    default:
      return "DEADLINE";
  }
}

std::vector<ThreadInfo> threads_of_process() {
  std::vector<ThreadInfo> threads;
  // A thread may end while the directory is read.
  std::error_code ignored;
  for (const auto & entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    ThreadInfo info = look(leading_number<int>(entry.path().filename().native()));
    if (!info.name.empty()) {
      threads.push_back(std::move(info));
    }
  }
  std::sort(threads.begin(), threads.end(),
            [](const ThreadInfo & a, const ThreadInfo & b) { return a.tid < b.tid; });
  return threads;
}

std::size_t thread_count() noexcept {
  struct stat status {};
  // The directory has a link for each thread, besides `.` and `..`.
  return stat("/proc/self/task", &status) == 0 && status.st_nlink > 2 ? status.st_nlink - 2 : 0;
}

std::uint64_t thread_set() noexcept {
  const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  // readdir() allocates, so the system call is used.
  struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;
    std::uint8_t type;
    char name[1];
  };
  std::uint64_t set = 0;
  alignas(Entry) char buffer[4096];
  for (;;) {
    const long filled = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (filled <= 0) break;
    for (long at = 0; at < filled;) {
      const auto * entry = reinterpret_cast<const Entry *>(buffer + at);
      // A sum of hashes, which does not depend on the order. The hash is the finaliser of
      // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), so that changes of small numbers do not
      // cancel out.
      std::uint64_t tid = leading_number<std::uint64_t>(entry->name);
      tid = (tid ^ tid >> 30) * 0xbf58476d1ce4e5b9;
      tid = (tid ^ tid >> 27) * 0x94d049bb133111eb;
      set += tid ^ tid >> 31;
      at += entry->length;
    }
  }
  close(folder);
  return set;
}

int realtime_priority(int tid) noexcept {
  sched_param parameters{};
  return sched_getparam(tid, &parameters) == 0 ? parameters.sched_priority : 0;
}

int pinned_cpu(int tid) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(tid, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1) {
    return -1;
  }
  int cpu = 0;
  while (!CPU_ISSET(static_cast<unsigned>(cpu), &set)) {
    ++cpu;
  }
  return cpu;
}

int last_cpu(int tid) noexcept {
  // `tid (name) S ...`: the name may contain any character; the CPU is the 37th field after it.
  char buffer[1024];
  std::string_view text = read_file(tid, "stat", buffer);
  const std::size_t end = text.rfind(')');
  if (end == std::string_view::npos) return -1;
  text.remove_prefix(end + 1);
  for (int word = 0; word < 37; ++word) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return -1;
    text.remove_prefix(space + 1);
  }
  return leading_number<int>(text);
}

int current_cpu() noexcept {
  return sched_getcpu();
}

bool sleeping(int tid) noexcept {
  char buffer[128];
  const std::string_view text = read_file(tid, "stat", buffer);
  // `tid (name) S ...`: the name may contain any character.
  const std::size_t end = text.rfind(") ");
  if (end == std::string_view::npos || end + 2 >= text.size()) {
    return false;
  }
  return text[end + 2] == 'S' || text[end + 2] == 'D';
}

Time runnable_time(int tid) noexcept {
  char buffer[64];
  const std::string_view text = read_file(tid, "schedstat", buffer);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return 0;
  return leading_number<Time>(text) + leading_number<Time>(text.substr(space + 1));
}

std::uint64_t voluntary_switches() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<std::uint64_t>(usage.ru_nvcsw);
}

std::int64_t unexplained_switches() noexcept {
  return static_cast<std::int64_t>(voluntary_switches()) -
         static_cast<std::int64_t>(waits_of_thread());
}

void name_thread(const std::string & name) noexcept {
  char short_name[16] = {};
  std::strncpy(short_name, name.c_str(), sizeof short_name - 1);
  pthread_setname_np(pthread_self(), short_name);
}

int thread_id() noexcept {
  return static_cast<int>(syscall(SYS_gettid));
}

}  // namespace takt::os
