// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace takt::lab {

/// From now on `operator new` of the whole process, its C++ libraries included, takes memory of a Tlsf
/// of `bytes`, which is there and touched beforehand; what finds no room goes to malloc. What calls
/// malloc itself is not reached: C libraries, rcl and the middleware's own. Once, while there is one
/// thread. Throws std::bad_alloc.
void use_tlsf(std::size_t bytes);

/// Name; how often operator new was called since then, and how often found no room; bytes in use of
/// the Tlsf and of malloc, and the former's share.
nlohmann::ordered_json allocator_json();

}  // namespace takt::lab
