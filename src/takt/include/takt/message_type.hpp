// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rosidl_runtime_c/message_type_support_struct.h>

#include <cstddef>
#include <new>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <typeinfo>

namespace takt {

/// A type-erased description of a message type: what is needed to store, copy and send its messages
/// without templates. Constant; everything that it points to exists until the process ends.
struct MessageType {
  const std::type_info * type;
  const rosidl_message_type_support_t * support;
  std::size_t size;       ///< bytes
  std::size_t alignment;  ///< bytes, a power of two
  /// Constructs a message with default values at `memory`. Throws and allocates as its constructor.
  void (*construct)(void * memory);
  void (*destroy)(void * message) noexcept;
  /// Assigns one message to another. Allocates if a string or sequence of the target is too small.
  void (*assign)(void * to, const void * from);
};

/// Returns the description of T, which is constructed at the first call. Any thread; allocates nothing.
template <typename T>
const MessageType & message_type() {
  static const MessageType type{
      &typeid(T),
      rosidl_typesupport_cpp::get_message_type_support_handle<T>(),
      sizeof(T),
      alignof(T),
      [](void * memory) { new (memory) T(); },
      [](void * message) noexcept { static_cast<T *>(message)->~T(); },
      [](void * to, const void * from) { *static_cast<T *>(to) = *static_cast<const T *>(from); }};
  return type;
}

}  // namespace takt
