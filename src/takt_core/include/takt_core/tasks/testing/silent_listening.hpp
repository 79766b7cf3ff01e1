// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

// TAKT_LISTEN_SILENTLY replaces a function that sets a callback of the middleware in the program
// that uses it, so that setting the callback announces nothing of what is in the queue. That can
// happen to items that were announced to another listener, or that arrive just then.

namespace takt::testing {

using Notify = void (*)(const void * data, std::size_t count);

/// A listener that is not called while it is being set.
struct SilentListener {
  SilentListener(Notify function, const void * argument) : notify(function), data(argument) {}

  const Notify notify;
  const void * const data;
  std::atomic<bool> begins = true;

  /// Never destroyed, since the middleware may call it until the process ends.
  static SilentListener & make(Notify notify, const void * data) {
    static auto & mutex = *new std::mutex;
    static auto & all = *new std::deque<SilentListener>;
    const std::lock_guard lock(mutex);
    return all.emplace_back(notify, data);
  }
  static void call(const void * listener, std::size_t count) {
    const auto & self = *static_cast<const SilentListener *>(listener);
    if (!self.begins) self.notify(self.data, count);
  }
};

/// How often a callback was set for an object of this type.
template <typename HandleT>
inline std::atomic<int> times_listened = 0;

template <typename HandleT>
std::int32_t listen_silently(const char * function, const HandleT * handle, Notify notify,
                             const void * data) {
  using Set = std::int32_t (*)(const HandleT *, Notify, const void *);
  const auto set = reinterpret_cast<Set>(dlsym(RTLD_NEXT, function));
  if (notify == nullptr) return set(handle, nullptr, nullptr);
  ++times_listened<HandleT>;
  SilentListener & listener = SilentListener::make(notify, data);
  const std::int32_t code = set(handle, SilentListener::call, &listener);
  listener.begins = false;
  return code;
}

}  // namespace takt::testing

#define TAKT_LISTEN_SILENTLY(function, HandleT)                                  \
  extern "C" [[gnu::visibility("default")]] std::int32_t function(               \
      const HandleT * handle, takt::testing::Notify notify, const void * data) { \
    return takt::testing::listen_silently(#function, handle, notify, data);      \
  }
