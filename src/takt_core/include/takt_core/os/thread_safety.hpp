// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

// What locks guard, said so that clang checks it (-Wthread-safety, which lint turns on). Other
// compilers see nothing of it. Names are those of clang's documentation.

#if defined(__clang__)
#define TAKT_THREAD_SAFETY(...) __attribute__((__VA_ARGS__))
#else
#define TAKT_THREAD_SAFETY(...)
#endif

/// A type whose objects are locks.
#define TAKT_CAPABILITY(name) TAKT_THREAD_SAFETY(capability(name))
/// A type whose objects hold a lock from their constructor to their destructor.
#define TAKT_SCOPED_CAPABILITY TAKT_THREAD_SAFETY(scoped_lockable)

/// A member is read and written only by who holds the lock.
#define TAKT_GUARDED_BY(lock) TAKT_THREAD_SAFETY(guarded_by(lock))
/// What a pointer points to is.
#define TAKT_PT_GUARDED_BY(lock) TAKT_THREAD_SAFETY(pt_guarded_by(lock))

/// A function, a lambda too, is called by who holds the locks.
#define TAKT_REQUIRES(...) TAKT_THREAD_SAFETY(requires_capability(__VA_ARGS__))
/// It is called by who does not hold them: it takes them itself.
#define TAKT_EXCLUDES(...) TAKT_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
/// It takes them and keeps them. Without an argument: this one.
#define TAKT_ACQUIRE(...) TAKT_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
/// It does if it returns the first argument.
#define TAKT_TRY_ACQUIRE(...) TAKT_THREAD_SAFETY(try_acquire_capability(__VA_ARGS__))
/// It gives them back.
#define TAKT_RELEASE(...) TAKT_THREAD_SAFETY(release_capability(__VA_ARGS__))
/// It returns a reference to this lock.
#define TAKT_RETURN_CAPABILITY(lock) TAKT_THREAD_SAFETY(lock_returned(lock))

/// Its body is not checked. A comment beside it says why not.
#define TAKT_NO_THREAD_SAFETY_ANALYSIS TAKT_THREAD_SAFETY(no_thread_safety_analysis)
