// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::tasks {

/// Whether two shared or weak pointers own the same object, even if that no longer exists. Takes no
/// lock.
template <typename A, typename B>
bool same_owner(const A & a, const B & b) noexcept {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace takt::tasks
