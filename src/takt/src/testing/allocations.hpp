// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Records every allocation of the process, whichever thread and library makes it: calls of the C
// library's functions, on which operator new is built, and memory mappings. It does so in the program
// of allocation_test, which has these functions from allocation_replacements.cpp.
#pragma once

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace takt::testing {

/// One allocation: the thread that made it and where it was called from.
struct Allocation {
  std::array<char, 16> thread{};
  std::array<void *, 48> frames{};
  int depth = 0;
  const void * caller = nullptr;  ///< return address of the allocating function; one of `frames`
  std::size_t size = 0;

  std::string_view thread_name() const { return thread.data(); }
};

/// The allocations made while recording is on. Only begin() allocates, the first time.
class Allocations {
 public:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr bool sees_mappings = false;
#else
  static constexpr bool sees_mappings = true;
#endif

  static void begin() {
    std::array<void *, 4> frames{};
    backtrace(frames.data(), frames.size());  // loads the library that it needs
    counted = 0;
    on = true;
  }
  static void end() { on = false; }
  /// After end(): the number of allocations, and those for which there was room.
  static std::size_t count() { return counted; }
  static std::span<const Allocation> kept() {
    return std::span(log).first(std::min(counted.load(), log.size()));
  }

  [[gnu::noinline]] static void seen(std::size_t size, const void * caller) noexcept {
    if (!on.load(std::memory_order_relaxed) || inside) return;
    inside = true;
    const std::size_t place = counted.fetch_add(1);
    if (place < log.size()) {
      Allocation & allocation = log[place];
      prctl(PR_GET_NAME, allocation.thread.data());
      allocation.depth =
          backtrace(allocation.frames.data(), static_cast<int>(allocation.frames.size()));
      allocation.size = size;
      allocation.caller = caller;
    }
    inside = false;
  }

 private:
  static inline std::atomic<bool> on = false;
  static inline std::atomic<std::size_t> counted = 0;
  static inline std::array<Allocation, 4096> log{};
  static inline constinit thread_local bool inside = false;
};

/// Returns the library responsible for an allocation: the innermost one on its stack that is not
/// the C or C++ runtime. Allocates.
inline std::string library_of(const Allocation & allocation) {
  const auto frames =
      std::span(allocation.frames).first(static_cast<std::size_t>(allocation.depth));
  for (auto frame = std::find(frames.begin(), frames.end(), allocation.caller);
       frame != frames.end(); ++frame) {
    Dl_info info{};
    if (dladdr(*frame, &info) == 0) continue;
    const std::string path = info.dli_fname != nullptr ? info.dli_fname : "";
    const std::string name = path.substr(path.rfind('/') + 1);
    const auto is = [&name](const char * start) { return name.starts_with(start); };
    if (is("libc.so") || is("libstdc++") || is("libgcc") || is("ld-linux") || is("libasan") ||
        is("libtsan") || is("libubsan") || is("libclang_rt")) {
      continue;
    }
    return name;
  }
  return "unknown";
}

}  // namespace takt::testing
