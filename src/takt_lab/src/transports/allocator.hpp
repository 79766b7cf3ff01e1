// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace takt::lab {

/// Makes `operator new` of the whole process, including C++ libraries, allocate from a Tlsf of `bytes` bytes,
/// which are allocated and touched by this call. If it has no room, malloc is used. Direct calls of malloc
/// are not affected: those of C libraries, rcl and the middleware. To be called once, while there is only
/// one thread. Throws std::bad_alloc.
void use_tlsf(std::size_t bytes);

/// Returns the allocator's name, how often operator new was called since use_tlsf() and how often there was no
/// room, the bytes in use of the Tlsf and of malloc, and the share of the former.
nlohmann::ordered_json allocator_json();

}  // namespace takt::lab
