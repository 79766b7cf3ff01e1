// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

// Annotations for clang's thread safety analysis (-Wthread-safety, which the linters enable), under
// the names of clang's documentation. They are empty for other compilers.

#if defined(__clang__)
#define TAKT_THREAD_SAFETY(...) __attribute__((__VA_ARGS__))
#else
#define TAKT_THREAD_SAFETY(...)
#endif

/// A type whose objects are locks.
#define TAKT_CAPABILITY(name) TAKT_THREAD_SAFETY(capability(name))
/// A type whose objects hold a lock from their constructor to their destructor.
#define TAKT_SCOPED_CAPABILITY TAKT_THREAD_SAFETY(scoped_lockable)

/// A member that is accessed only with the lock held.
#define TAKT_GUARDED_BY(lock) TAKT_THREAD_SAFETY(guarded_by(lock))
/// A pointer whose target is accessed only with the lock held.
#define TAKT_PT_GUARDED_BY(lock) TAKT_THREAD_SAFETY(pt_guarded_by(lock))

/// A function, or a lambda, that is called with the locks held.
#define TAKT_REQUIRES(...) TAKT_THREAD_SAFETY(requires_capability(__VA_ARGS__))
/// A function that is called without holding the locks, which it acquires itself.
#define TAKT_EXCLUDES(...) TAKT_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
/// A function that acquires the locks and holds them on return. Without an argument: the object
/// itself.
#define TAKT_ACQUIRE(...) TAKT_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
/// A function that does so if it returns the first argument.
#define TAKT_TRY_ACQUIRE(...) TAKT_THREAD_SAFETY(try_acquire_capability(__VA_ARGS__))
/// A function that releases the locks.
#define TAKT_RELEASE(...) TAKT_THREAD_SAFETY(release_capability(__VA_ARGS__))
/// A function that returns a reference to this lock.
#define TAKT_RETURN_CAPABILITY(lock) TAKT_THREAD_SAFETY(lock_returned(lock))

/// A function whose body is not checked. A comment beside it says why not.
#define TAKT_NO_THREAD_SAFETY_ANALYSIS TAKT_THREAD_SAFETY(no_thread_safety_analysis)
