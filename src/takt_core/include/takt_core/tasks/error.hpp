// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace takt {

/// What setting-up functions of takt throw: one line that says what is wrong, where and what to do.
/// The loop does not throw. Making one allocates; no call that may throw is for a signal handler.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A topic, service, node or namespace name is not valid.
class NameError : public Error {
 public:
  using Error::Error;
};

}  // namespace takt
