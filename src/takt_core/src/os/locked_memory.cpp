// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/locked_memory.hpp"

#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capability.hpp"
#include "takt_core/os/lock.hpp"

namespace takt::os {
namespace {

/// The process whose memory lock_memory() has locked.
std::atomic<pid_t> locked_process{0};

/// The amount of locked memory of this process in kB (VmLck).
std::uint64_t locked_kilobytes() noexcept {
  std::array<char, 4096> buffer{};
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, buffer.data(), buffer.size());
  close(file);
  const std::string_view status(buffer.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  constexpr std::string_view key = "VmLck:";
  const std::size_t at = status.find(key);
  if (at == std::string_view::npos) return 0;
  const std::size_t from = status.find_first_not_of(" \t", at + key.size());
  std::uint64_t number = 0;
  if (from != std::string_view::npos) {
    std::from_chars(status.data() + from, status.data() + status.size(), number);
  }
  return number;
}

// ---- programs and libraries ---------------------------------------------------------------------

struct Segment {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool written = false;
};

/// The segments that were read in, and the dynamic linker's count of loaded objects then.
struct Loaded {
  Mutex mutex{LockRank::libraries};
  pid_t process TAKT_GUARDED_BY(mutex) = 0;  // a child of fork() has none of them locked
  unsigned long long loads TAKT_GUARDED_BY(mutex) = 0;
  std::map<std::uintptr_t, std::uintptr_t> segments TAKT_GUARDED_BY(mutex);  // begin, end
};
Loaded & loaded() {
  static Loaded one;
  return one;
}

struct Listing {
  unsigned long long known = 0;  ///< loads at the last listing
  unsigned long long loads = 0;
  std::vector<Segment> segments;
};

/// Called with the dynamic linker's lock held.
int list_segments(dl_phdr_info * info, std::size_t /*size*/, void * data) {
  Listing & listing = *static_cast<Listing *>(data);
  listing.loads = info->dlpi_adds;
  if (listing.loads == listing.known) return 1;
  for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
    const auto & header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
    const auto begin = static_cast<std::uintptr_t>(info->dlpi_addr + header.p_vaddr);
    listing.segments.push_back({begin, begin + header.p_memsz, (header.p_flags & PF_W) != 0});
  }
  return 0;
}

/// Makes the pages present, as if each one were read, or written if `written`. False if that is not
/// possible.
bool bring_in(std::uintptr_t begin, std::size_t length, bool written) noexcept {
  constexpr int populate_read = 22;  // MADV_POPULATE_READ and _WRITE, Linux 5.14
  constexpr int populate_write = 23;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker reports addresses as numbers
  void * const at = reinterpret_cast<void *>(begin);
  return madvise(at, length, written ? populate_write : populate_read) == 0;
}

void bring_in(const Segment & segment) noexcept {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  // In pieces, so that other threads can map memory in between.
  constexpr std::uintptr_t piece = std::uintptr_t{256} << 10;
  const std::uintptr_t end = (segment.end + page - 1) / page * page;
  for (std::uintptr_t at = segment.begin / page * page; at < end; at += piece) {
    const std::size_t length = std::min(piece, end - at);
    // A segment that the linker has relocated may be read-only now.
    if (segment.written && bring_in(at, length, true)) continue;
    if (bring_in(at, length, false)) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
    static_cast<void>(mlock(reinterpret_cast<void *>(at), length));  // before Linux 5.14
  }
}

void bring_in_new() {
  Loaded & all = loaded();
  const Lock lock(all.mutex);
  if (all.process != getpid()) {
    all.process = getpid();
    all.loads = 0;
    all.segments.clear();
  }
  Listing listing{.known = all.loads, .loads = 0, .segments = {}};
  dl_iterate_phdr(&list_segments, &listing);
  if (listing.loads == all.loads) return;
  all.loads = listing.loads;
  std::map<std::uintptr_t, std::uintptr_t> now;
  for (const Segment & segment : listing.segments) {
    const auto known = all.segments.find(segment.begin);
    if (known == all.segments.end() || known->second != segment.end) bring_in(segment);
    now.emplace(segment.begin, segment.end);
  }
  all.segments = std::move(now);
}

}  // namespace

bool memory_locked() noexcept {
  return locked_process.load(std::memory_order_relaxed) == getpid() && locked_kilobytes() > 0;
}

Granted lock_memory() {
  Granted result{1, 0, {}};
  if (memory_locked()) {
    result.granted = 1;
    bring_in_new();
    return result;
  }
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  // With a finite limit, locking could succeed now and every later allocation fail.
  if (!capable(CAP_IPC_LOCK) && limit.rlim_cur != RLIM_INFINITY) {
    result.error =
        "locking memory refused: the limit is " + text(limit.rlim_cur) +
        " bytes; raise it with `sudo prlimit --memlock=unlimited --pid $$` and start again, "
        "or for good with `USER - memlock unlimited` in /etc/security/limits.d/takt.conf";
  } else if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0) {
    result.error = std::string("locking memory refused: ") + std::strerror(errno);
  } else {
    locked_process.store(getpid(), std::memory_order_relaxed);
    result.granted = 1;
    bring_in_new();
  }
  return result;
}

void bring_in_libraries() {
  if (locked_process.load(std::memory_order_relaxed) == getpid()) bring_in_new();
}

void bring_in_heap(std::size_t bytes) noexcept {
  // Each below malloc's mmap threshold: larger blocks would have mappings of their own.
  constexpr std::size_t piece = std::size_t{32} << 10;
  constexpr std::size_t page = 4096;
  std::array<void *, 16> pieces{};
  const std::size_t count = std::min(pieces.size(), (bytes + piece - 1) / piece);
  for (std::size_t i = 0; i < count; ++i) {
    pieces[i] = std::malloc(piece);
    if (pieces[i] == nullptr) break;
    for (std::size_t at = 0; at < piece; at += page) {
      static_cast<volatile char *>(pieces[i])[at] = 0;
    }
  }
  for (void * each : pieces) std::free(each);
}

}  // namespace takt::os
