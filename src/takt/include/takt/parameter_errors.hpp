// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/exceptions.hpp"

namespace takt {

/// What goes wrong with parameters: one line that names the parameter. Thrown by Parameters,
/// Parameter and ParameterValue, on the thread that called. Making one allocates.
class ParameterError : public Error {
 public:
  using Error::Error;
};

/// An empty name, or a declaration that contradicts itself.
class InvalidParameters : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Declared twice.
class ParameterAlreadyDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Got, described, set or undeclared without having been declared, where that is not allowed.
class ParameterNotDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Declared with a type but without a value, and nobody gave it one.
class ParameterUninitialized : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Of another type than was declared or is asked for, or a number that does not fit into it.
class InvalidParameterType : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Out of its range, or refused by a callback.
class InvalidParameterValue : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Read-only, or of one type for ever, and so not to be undeclared.
class ParameterImmutable : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// A callback for parameters tried to declare, set or undeclare parameters.
class ParameterModifiedInCallback : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

}  // namespace takt
