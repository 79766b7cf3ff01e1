// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <typeinfo>
#include <utility>

namespace takt::model {

/// A versioned, immutable snapshot of what the application lets its policy see.
class ApplicationState {
 public:
  ApplicationState() = default;

  /// Makes a snapshot of a value. Allocates.
  template <typename T>
  static ApplicationState of(T value) {
    ApplicationState state;
    state.type_ = &typeid(T);
    state.value_ = std::make_shared<const T>(std::move(value));
    return state;
  }

  /// The value; nullptr if there is none or it has another type. Neither allocates nor throws.
  template <typename T>
  const T * get() const noexcept {
    return type_ != nullptr && *type_ == typeid(T) ? static_cast<const T *>(value_.get()) : nullptr;
  }

  /// The number of this snapshot among all that the scheduler was given, counted from 1; 0 for the
  /// empty state before the first.
  std::uint64_t version() const noexcept { return version_; }

 private:
  friend class Scheduler;
  std::shared_ptr<const void> value_;
  const std::type_info * type_ = nullptr;
  std::uint64_t version_ = 0;
};

}  // namespace takt::model
