// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/c_locale.hpp"

namespace takt::os {
namespace {

/// Never freed: threads may use it while the process ends.
locale_t c_locale() noexcept {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
  return locale;
}

}  // namespace

CLocale::CLocale() noexcept : before_(uselocale(c_locale())) {}

CLocale::~CLocale() {
  uselocale(before_);
}

}  // namespace takt::os
