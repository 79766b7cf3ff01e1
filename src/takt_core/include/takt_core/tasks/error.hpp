// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace takt {

/// The exception of takt's set-up functions: one line that says what is wrong, where, and what to
/// do. Running jobs does not throw it. Creating one allocates, so a function that may throw it must
/// not be called in a signal handler.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid name of a topic, service, node or namespace.
class NameError : public Error {
 public:
  using Error::Error;
};

}  // namespace takt
