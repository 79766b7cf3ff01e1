// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/lock_waits.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <memory>

namespace takt::os {
namespace {

using Read = void (*)(std::uint64_t *, std::int64_t *, void **);

std::string base_name(const std::string & path) {
  return path.substr(path.rfind('/') + 1);
}

std::string function_at(void * address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0) return "";
  std::string library = info.dli_fname != nullptr ? base_name(info.dli_fname) : "";
  if (info.dli_sname == nullptr) return library;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> plain(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
  return std::string(plain != nullptr ? plain.get() : info.dli_sname) + " in " + library;
}

}  // namespace

std::optional<LockWaits> lock_waits() {
  static const auto read = reinterpret_cast<Read>(dlsym(RTLD_DEFAULT, "takt_inheritance_read"));
  if (read == nullptr) return std::nullopt;
  LockWaits found;
  void * where = nullptr;
  read(&found.waits, &found.longest_ns, &where);
  found.where = function_at(where);
  return found;
}

void lend_up_to(int priority) noexcept {
  static const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "takt_inheritance_set_highest"));
  if (set != nullptr) set(priority);
}

}  // namespace takt::os
