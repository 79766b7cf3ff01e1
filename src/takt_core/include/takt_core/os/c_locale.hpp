// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <locale.h>

namespace takt::os {

/// While an object of this class exists, the calling thread reads and writes numbers as in the C
/// locale, with a decimal point, whatever locale the process has set: for calls of libraries that
/// use strtod() and the like. Nests; other threads are not affected, nor are C++ streams, which
/// have a locale of their own. The first object in a process allocates; none blocks.
class CLocale {
 public:
  CLocale() noexcept;
  ~CLocale();
  CLocale(const CLocale &) = delete;
  CLocale & operator=(const CLocale &) = delete;

 private:
  locale_t before_;
};

}  // namespace takt::os
