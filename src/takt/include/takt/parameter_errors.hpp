// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/exceptions.hpp"

namespace takt {

/// Base class of the exceptions of Parameters, Parameter and ParameterValue, which throw them on the
/// calling thread. The message is one line that names the parameter. Creating one allocates.
class ParameterError : public Error {
 public:
  using Error::Error;
};

/// The name is empty, or the declaration contradicts itself.
class InvalidParameters : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The parameter is declared already.
class ParameterAlreadyDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The parameter to be read, described, set or undeclared has not been declared, and the node does not
/// allow undeclared parameters.
class ParameterNotDeclared : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The parameter was declared with a type but without a default value, and has not been given a value.
class ParameterUninitialized : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The value has another type than was declared or is requested, or a number that this type cannot
/// represent.
class InvalidParameterType : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The value is outside its declared range, or was rejected by a callback.
class InvalidParameterValue : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// The parameter cannot be undeclared because it is read-only or statically typed.
class ParameterImmutable : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

/// A parameter callback tried to declare, set or undeclare a parameter.
class ParameterModifiedInCallback : public ParameterError {
 public:
  using ParameterError::ParameterError;
};

}  // namespace takt
