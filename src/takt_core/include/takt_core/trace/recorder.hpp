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

struct Options {
  /// Where to; what is there is overwritten.
  std::string file = {};
  /// How many events a ring holds, 1 or more, rounded up to a power of two; 32 bytes each. What comes
  /// while the thread that drains does not get the CPU must fit.
  std::size_t capacity = 32'768;
  /// The CPUs for the thread that drains, counted from 0; none: where the process may run. Where the
  /// kernel refuses, it stays there.
  std::vector<int> cpus = {};
  /// One line, once, if the file cannot be written any more; of an executor's trace its own log unless it
  /// is given. Called by who makes or closes the trace, or by the thread that drains, which may wait; not
  /// after the trace is closed.
  std::function<void(const std::string &)> log = nullptr;
};

/// A trace on its way to a file. All that it writes are records of 32 bytes (Event), little-endian,
/// so that the file is an array: the first is the header (`takttrac`, version and size of a record,
/// both 32 bits, rest 0); texts (Kind::text) carry `task` bytes each in place of `at`, `index` and
/// `value`, and together make lines of JSON that define rings, tasks, topics and the like before
/// they are used or later; the last line tells that the trace was closed and what was dropped.
class Recorder {
 public:
  /// Version of the file.
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t most_rings = 255;

  /// Opens the file and starts the thread `takt.trace`, of ordinary priority. Throws
  /// std::system_error; std::invalid_argument for a capacity of 0. Allocates, blocks.
  explicit Recorder(const Options & options);
  /// Closes. No ring is used any more.
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder & operator=(const Recorder &) = delete;

  /// Another ring, which lives as long as this; nullptr if there are most_rings: what it would have
  /// taken is then lost, which closing tells. Any thread; allocates.
  Ring * add_ring(Definition definition);
  /// Any thread; allocates, may hold up the caller while other definitions are handed over.
  void define(const Definition & definition);
  /// Writes what there is and ends the trace: what comes later is dropped. Any thread; blocks. Once;
  /// no effect then.
  void close();

  /// Events dropped, of all rings, because a ring was full, the file could not be written, or there
  /// were too many rings. Complete after close(). Any thread.
  std::uint64_t dropped() const noexcept;
  /// Events written to the file, without definitions. Any thread.
  std::uint64_t written() const noexcept { return written_.load(std::memory_order_relaxed); }
  /// Why the file could not be written; empty if it could. Any thread; allocates.
  std::string error() const;
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
  mutable os::PiMutex mutex_{os::LockRank::recorder};  // held for a copy
  std::vector<std::unique_ptr<Ring>> rings_ TAKT_GUARDED_BY(mutex_);
  std::string texts_ TAKT_GUARDED_BY(mutex_);
  std::string error_ TAKT_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> unwritten_{0};
  std::atomic<std::uint64_t> refused_rings_{0};
  std::vector<Ring *> draining_;  // of who drains, as what follows
  bool failed_ = false;
  bool full_ = false;
  bool told_ = false;
  os::Mutex one_{os::LockRank::recorder_rings};  // who adds a ring or closes
  bool closed_ TAKT_GUARDED_BY(one_) = false;
  std::atomic<bool> quit_{false};
  os::Event event_;
  os::Thread thread_;
};

}  // namespace takt::trace
