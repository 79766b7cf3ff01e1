// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Tells testing::Allocations of each allocation in the program of allocation_test.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "testing/allocations.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// Sanitizers have an allocator of their own, and report its calls to these hooks.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void *));

namespace {
[[gnu::noinline]] void allocated(const volatile void *, std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
}
void freed(const volatile void *) {}
[[gnu::constructor]] void install_hooks() {
  __sanitizer_install_malloc_and_free_hooks(allocated, freed);
}
}  // namespace

#else

extern "C" {

void * __libc_malloc(std::size_t size);
void * __libc_calloc(std::size_t count, std::size_t size);
void * __libc_realloc(void * memory, std::size_t size);
void * __libc_memalign(std::size_t alignment, std::size_t size);

// Functions defined in a program replace the C library's, for every library in the process.
void * malloc(std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
  return __libc_malloc(size);
}
void * calloc(std::size_t count, std::size_t size) {
  takt::testing::Allocations::seen(count * size, __builtin_return_address(0));
  return __libc_calloc(count, size);
}
void * realloc(void * memory, std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
  return __libc_realloc(memory, size);
}
void * memalign(std::size_t alignment, std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
void * aligned_alloc(std::size_t alignment, std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
int posix_memalign(void ** memory, std::size_t alignment, std::size_t size) {
  takt::testing::Allocations::seen(size, __builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory != nullptr ? 0 : ENOMEM;
}
void * mmap(void * address, std::size_t length, int protection, int flags, int file,
            off_t offset) noexcept {
  takt::testing::Allocations::seen(length, __builtin_return_address(0));
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, address, length, protection, flags, file, offset));
}

}  // extern "C"

#endif
