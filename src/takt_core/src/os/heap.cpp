// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/heap.hpp"

#include <malloc.h>

#include <algorithm>

namespace takt::os {

Granted keep_heap(std::int64_t bytes) {
  Granted result{1, 0, {}};
#ifdef __GLIBC__
  // The greatest M_MMAP_THRESHOLD that glibc accepts (HEAP_MAX_SIZE / 2 on 64 bits).
  constexpr std::int64_t largest_piece = std::int64_t{32} << 20;
  const bool pieces =
      mallopt(M_MMAP_THRESHOLD, static_cast<int>(std::min(bytes, largest_piece))) == 1;
  const bool trims = mallopt(M_TRIM_THRESHOLD, static_cast<int>(bytes)) == 1;
  result.granted = pieces && trims ? 1 : 0;
  if (result.granted == 0) result.error = "keeping freed memory refused by malloc";
#else
  result.error = "keeping freed memory: this C library's malloc has no such setting";
#endif
  return result;
}

}  // namespace takt::os
