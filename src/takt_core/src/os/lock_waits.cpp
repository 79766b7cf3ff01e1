// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/lock_waits.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace takt::os {
namespace {

using Read = void (*)(std::uint64_t *, std::int64_t *, void **, void **, int);

std::string base_name(const std::string & path) {
  return path.substr(path.rfind('/') + 1);
}

struct Place {
  std::string function;  // empty: the library has no name for it
  std::string library;
};

Place place_of(void * address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0) return {};
  Place place{.function = "",
              .library = info.dli_fname != nullptr ? base_name(info.dli_fname) : ""};
  if (info.dli_sname == nullptr) return place;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> plain(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
  place.function = plain != nullptr ? plain.get() : info.dli_sname;
  return place;
}

std::string text_of(const Place & place) {
  return place.function.empty() ? place.library : place.function + " in " + place.library;
}

/// Whether this is one of the small functions through which libraries unlock.
bool only_unlocks(std::string_view function) {
  return function.find("unlock") != std::string_view::npos ||
         function.find("lock_guard") != std::string_view::npos ||
         function.find("scoped_lock") != std::string_view::npos;
}

/// The innermost two functions with a name, which are enough to find the place; else the library.
template <std::size_t N>
std::string holder_at(const std::array<void *, N> & frames) {
  std::string inner;
  for (void * const frame : frames) {
    const Place place = place_of(frame);
    if (place.function.empty() || (inner.empty() && only_unlocks(place.function))) continue;
    if (!inner.empty()) return inner + ", called by " + text_of(place);
    inner = text_of(place);
  }
  return inner.empty() ? text_of(place_of(frames.front())) : inner;
}

}  // namespace

std::optional<LockWaits> lock_waits() {
  static const auto read = reinterpret_cast<Read>(dlsym(RTLD_DEFAULT, "takt_inheritance_read"));
  if (read == nullptr) return std::nullopt;
  LockWaits found;
  void * where = nullptr;
  std::array<void *, 6> holder{};
  read(&found.waits, &found.longest_ns, &where, holder.data(), static_cast<int>(holder.size()));
  found.where = text_of(place_of(where));
  found.held_by = holder_at(holder);
  return found;
}

void lend_up_to(int priority) noexcept {
  static const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "takt_inheritance_set_highest"));
  if (set != nullptr) set(priority);
}

}  // namespace takt::os
