// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/exceptions.hpp"

namespace takt {

/// What goes wrong with parameters.
class ParameterError : public Error {
 public:
  using Error::Error;
};

/// An empty name, or a list of parameters that is not one.
class InvalidParameters : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

class ParameterAlreadyDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

class ParameterNotDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// Declared with a type but without a value, and nobody gave it one.
class ParameterUninitialized : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

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
