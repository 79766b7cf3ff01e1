// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rosidl_runtime_c/message_type_support_struct.h>

#include <cstddef>
#include <new>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <typeinfo>

namespace takt {

/// What there is to know of a message type to keep, copy and send its messages without templates.
struct MessageType {
  const std::type_info * type;
  const rosidl_message_type_support_t * support;
  std::size_t size;
  std::size_t alignment;
  void (*construct)(void * memory);
  void (*destroy)(void * message) noexcept;
  void (*assign)(void * to, const void * from);
};

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
