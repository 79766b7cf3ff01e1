// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/locked_memory.hpp"
#include "takt_core/os/testing/sanitized.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace takt::os {
namespace {

constexpr std::size_t page = 4096;

/// The exit status of a child that runs `body`: what it locks is its own.
int in_child(const std::function<int()> & body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr int refused = 77;  // no right to lock memory, or a sanitizer prevents locking

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/// The number of pages that were not in memory when they were read.
long missing(const void * from, std::size_t size) {
  const volatile char * const bytes = static_cast<const volatile char *>(from);
  const long before = faults();
  for (std::size_t at = 0; at < size; at += page) static_cast<void>(bytes[at]);
  return faults() - before;
}

/// The readable bytes of a library, and the number of pages of them that were not in memory.
struct Found {
  std::string part;
  std::size_t size = 0;
  long missing = 0;
};
Found look_at(const std::string & library) {
  Found found{.part = library};
  dl_iterate_phdr(
      [](dl_phdr_info * info, std::size_t, void * data) {
        Found & one = *static_cast<Found *>(data);
        if (std::strstr(info->dlpi_name, one.part.c_str()) == nullptr) return 0;
        for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
          const auto & header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = (info->dlpi_addr + header.p_vaddr) / page * page;
          const std::uintptr_t end = info->dlpi_addr + header.p_vaddr + header.p_filesz;
          one.size += end - begin;
          one.missing += missing(reinterpret_cast<const void *>(begin), end - begin);
        }
        return 1;
      },
      &found);
  return found;
}

TEST(LockedMemoryTest, WhatIsMappedAndNotUsedCostsNothing) {
  const int status = in_child([] {
    if (testing::sanitized || !lock_memory().ok()) return refused;
    constexpr std::size_t size = std::size_t{64} << 20;
    void * const made =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return 1;
    std::vector<unsigned char> pages(size / page);
    if (mincore(made, size, pages.data()) != 0) return 2;
    for (const unsigned char each : pages) {
      if ((each & 1U) != 0) return 3;
    }
    // Pages that were touched are in memory.
    std::memset(made, 1, page);
    return missing(made, page) == 0 ? 0 : 4;
  });
  if (status == refused) GTEST_SKIP() << "no right to lock memory";
  EXPECT_EQ(status, 0);
}

TEST(LockedMemoryTest, OfLibrariesEveryPageIsThereOfThoseThatComeLaterToo) {
  const int status = in_child([] {
    if (testing::sanitized || !lock_memory().ok()) return refused;
    if (look_at("libc.so").size == 0 || look_at("libc.so").missing != 0) return 1;
    for (const char * name : {"libresolv.so.2", "libasm.so.1", "libdw.so.1", "libz.so.1"}) {
      if (dlopen(name, RTLD_NOW | RTLD_NOLOAD) != nullptr) continue;
      if (dlopen(name, RTLD_NOW) == nullptr) continue;
      bring_in_libraries();
      const Found found = look_at(name);
      return found.size > 0 && found.missing == 0 ? 0 : 2;
    }
    return 3;
  });
  if (status == refused) GTEST_SKIP() << "no right to lock memory";
  EXPECT_EQ(status, 0);
}

TEST(LockedMemoryTest, AThreadThatAllocatesFindsItsHeapThere) {
  const int status = in_child([] {
    if (testing::sanitized || !lock_memory().ok()) return refused;
    constexpr std::size_t size = 64 * 1024;
    bring_in_heap(size);
    const long before = faults();
    std::vector<char *> pieces;
    pieces.reserve(size / 1024);
    for (std::size_t i = 0; i < size / 1024 / 2; ++i) {
      pieces.push_back(static_cast<char *>(std::malloc(1024)));
      *static_cast<volatile char *>(pieces.back()) = 1;
    }
    const long came = faults() - before;
    for (char * each : pieces) std::free(each);
    return came == 0 ? 0 : 1;
  });
  if (status == refused) GTEST_SKIP() << "no right to lock memory";
  EXPECT_EQ(status, 0);
}

TEST(LockedMemoryTest, ALowLimitRefusesTheLock) {
  EXPECT_EQ(in_child([] {
              const rlimit little{65536, 65536};
              if (setrlimit(RLIMIT_MEMLOCK, &little) != 0) return 1;
              if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) return 2;
              const Granted granted = lock_memory();
              const bool told =
                  granted.error.find("prlimit --memlock=unlimited") != std::string::npos;
              return granted.granted == 0 && told && !memory_locked() ? 0 : 3;
            }),
            0);
}

}  // namespace
}  // namespace takt::os
