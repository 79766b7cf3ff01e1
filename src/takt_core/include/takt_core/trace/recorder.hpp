// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/trace/definition.hpp"
#include "takt_core/trace/ring.hpp"

namespace takt::trace {

/// The options of a trace.
struct Options {
  /// The path of the trace file; an existing file is overwritten.
  std::string file = {};
  /// The number of events that a ring holds, at least 1, rounded up to a power of two; 32 bytes
  /// each. It must hold what is written while the draining thread does not get the CPU.
  std::size_t capacity = 32'768;
  /// The CPUs for the draining thread, counted from 0; empty, or if the kernel refuses: all CPUs of
  /// the process.
  std::vector<int> cpus = {};
  /// Called once, with one line, if the file cannot be written any more; default for the trace of
  /// an executor: the executor's log. Called by the thread that creates or closes the trace, or by
  /// the draining thread, so it may block; not after the trace has been closed.
  std::function<void(const std::string &)> log = nullptr;
};

/// Writes a trace to a file. The file is an array of 32-byte records (Event), little-endian. The
/// first is the header (`takttrac`, then the version and the record size, 32 bits each, rest 0).
/// Texts (Kind::text) contain `task` bytes each, in place of `at`, `index` and `value`;
/// concatenated they are lines of JSON that define rings, tasks, topics and so on, before or after
/// their first use. The last line says that the trace was closed, and how many events were dropped.
class Recorder {
 public:
  /// The version of the file format.
  static constexpr std::uint32_t version = 1;
  /// The greatest number of rings, as Event::ring has 8 bits.
  static constexpr std::size_t most_rings = 255;

  /// Creates the file and starts the thread `takt.trace`, of ordinary priority. Throws
  /// std::system_error; std::invalid_argument for a capacity of 0. Allocates, blocks.
  explicit Recorder(const Options & options);
  /// Calls close(). The rings must not be in use any more.
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder & operator=(const Recorder &) = delete;

  /// Adds a ring, which lives as long as this object. Returns nullptr if there are most_rings
  /// already; the caller's events are then lost, and the closing line says so. Any thread;
  /// allocates.
  Ring * add_ring(Definition definition);
  /// Adds a definition. Any thread; allocates; may wait while other definitions are handed over.
  void define(const Definition & definition);
  /// Writes the remaining events and ends the trace; later events are dropped. Any thread; blocks.
  /// Further calls have no effect.
  void close();

  /// The number of events dropped, over all rings, because a ring was full, the file could not be
  /// written, or there were too many rings. Final after close(). Any thread.
  std::uint64_t dropped() const noexcept;
  /// The number of events written to the file, without definitions. Any thread.
  std::uint64_t written() const noexcept { return written_.load(std::memory_order_relaxed); }
  /// Why the file could not be written; empty if it could. Any thread; allocates.
  std::string error() const;
  /// The path of the trace file. Any thread.
  const std::string & file() const noexcept { return options_.file; }

 private:
  bool end();
  void run();
  void drain();
  void write_texts();
  void write(const void * data, std::size_t bytes, std::uint64_t events);
  void write_line(const std::string & line);
  void tell_failure();

  const Options options_;
  int fd_ = -1;
  mutable os::PiMutex mutex_{os::LockRank::recorder};  // held for copying only
  std::vector<std::unique_ptr<Ring>> rings_ TAKT_GUARDED_BY(mutex_);
  std::string texts_ TAKT_GUARDED_BY(mutex_);
  std::string error_ TAKT_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> unwritten_{0};
  std::atomic<std::uint64_t> refused_rings_{0};
  std::vector<Ring *> draining_;  // this and the following flags: used by the draining thread
  bool failed_ = false;
  bool full_ = false;
  bool failure_logged_ = false;
  os::Mutex rings_mutex_{os::LockRank::recorder_rings};  // held to add a ring and to close
  bool closed_ TAKT_GUARDED_BY(rings_mutex_) = false;
  std::atomic<bool> quit_{false};
  os::Event event_;
  os::Thread thread_;
};

}  // namespace takt::trace
