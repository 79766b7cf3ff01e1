// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <locale.h>

namespace takt::os {

/// While it lives the calling thread reads and writes numbers as in C, with a decimal point, whatever
/// locale the process has set: around libraries that read data by strtod() and its like. Nests; other
/// threads see nothing of it. No streams of C++, which have a locale of their own. The first of a
/// process allocates.
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
