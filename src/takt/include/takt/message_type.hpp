// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rosidl_runtime_c/message_type_support_struct.h>

#include <cstddef>
#include <new>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <typeinfo>

namespace takt {

/// What there is to know of a message type to keep, copy and send its messages without templates.
/// Constant; everything it points at lives as long as the process.
struct MessageType {
  const std::type_info * type;
  const rosidl_message_type_support_t * support;
  std::size_t size;       ///< bytes
  std::size_t alignment;  ///< bytes, a power of two
  /// Makes a message with its defaults. Throws what its constructor throws; allocates if it does.
  void (*construct)(void * memory);
  void (*destroy)(void * message) noexcept;
  /// Copies a message onto another; allocates where that has too little room.
  void (*assign)(void * to, const void * from);
};

/// That of T, made at the first call. Any thread; allocates nothing.
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
