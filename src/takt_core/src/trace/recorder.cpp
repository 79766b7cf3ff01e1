// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/trace/recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "takt_core/os/rights.hpp"

namespace takt::trace {
namespace {

// The draining period, in ns. Writers do not wake the thread, as that would be a system call by
// threads that must not be delayed.
constexpr os::Time drain_every = 20'000'000;

struct Header {
  std::array<char, 8> magic{'t', 'a', 'k', 't', 't', 'r', 'a', 'c'};
  std::uint32_t version = Recorder::version;
  std::uint32_t record = sizeof(Event);
  std::array<char, 16> rest{};
};
static_assert(sizeof(Header) == sizeof(Event));

/// How many bytes of text fit into a record.
constexpr std::size_t text_bytes = 24;

}  // namespace

Recorder::Recorder(const Options & options) : options_(options) {
  if (options.capacity == 0) throw std::invalid_argument("a trace's rings hold at least 1 event");
  fd_ = ::open(options.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot write the trace '" + options.file + "'");
  }
  const Header header;
  write(&header, sizeof(header), 0);
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  define(Definition("clock")
             .add("monotonic", os::now())
             .add("wall", std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count()));
  try {
    draining_.reserve(most_rings);
    thread_ = os::Thread({.name = "takt.trace"}, [this] { run(); });
    if (!options.cpus.empty()) os::confine(thread_.tid(), options.cpus);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Recorder::~Recorder() {
  close();
}

Ring * Recorder::add_ring(Definition definition) {
  const os::Lock changing(rings_mutex_);
  std::size_t before = 0;
  {
    const os::Lock lock(mutex_);
    before = rings_.size();
  }
  if (before == most_rings) {
    ++refused_rings_;
    return nullptr;
  }
  // Its memory is touched before taking the lock, for which other threads may wait.
  const auto number = static_cast<std::uint8_t>(before + 1);
  auto ring = std::make_unique<Ring>(number, options_.capacity);
  define(definition.add("ring", static_cast<std::int64_t>(number)));
  const os::Lock lock(mutex_);
  rings_.push_back(std::move(ring));
  return rings_.back().get();
}

void Recorder::define(const Definition & definition) {
  const std::string line = definition.line();
  const os::Lock lock(mutex_);
  texts_ += line;
}

void Recorder::close() {
  if (end()) tell_failure();
}

bool Recorder::end() {
  const os::Lock lock(rings_mutex_);
  if (std::exchange(closed_, true)) return false;
  quit_ = true;
  event_.post();
  thread_.join();
  drain();
  Definition end("end");
  end.add("written", static_cast<std::int64_t>(written_.load()));
  end.add("dropped", static_cast<std::int64_t>(dropped()));
  end.add("rings_refused", static_cast<std::int64_t>(refused_rings_.load()));
  {
    const os::Lock rings(mutex_);
    for (const auto & ring : rings_) {
      if (ring->dropped() > 0) {
        end.add("dropped_" + std::to_string(ring->number()),
                static_cast<std::int64_t>(ring->dropped()));
      }
    }
  }
  write_line(end.line());
  ::close(std::exchange(fd_, -1));
  return true;
}

void Recorder::run() {
  while (!quit_.load(std::memory_order_acquire)) {
    drain();
    tell_failure();
    event_.wait_until(os::now() + drain_every);
  }
}

void Recorder::drain() {
  {
    const os::Lock lock(mutex_);
    draining_.clear();
    for (const auto & ring : rings_) draining_.push_back(ring.get());
  }
  // Definitions first: most are made before their first use.
  write_texts();
  for (Ring * ring : draining_) {
    ring->drain([this](std::span<const Event> events) {
      write(events.data(), events.size_bytes(), events.size());
    });
  }
}

void Recorder::write_texts() {
  std::string texts;
  {
    const os::Lock lock(mutex_);
    texts.swap(texts_);
  }
  if (!texts.empty()) write_line(texts);
}

void Recorder::write_line(const std::string & line) {
  std::array<Event, 64> records;
  std::size_t count = 0;
  for (std::size_t from = 0; from < line.size(); from += text_bytes) {
    const std::size_t length = std::min(text_bytes, line.size() - from);
    std::array<char, text_bytes> bytes{};
    std::copy_n(line.data() + from, length, bytes.data());
    Event & record = records[count++] = Event{};
    std::memcpy(static_cast<void *>(&record), bytes.data(), bytes.size());
    record.task = static_cast<std::uint32_t>(length);
    record.kind = Kind::text;
    if (count == records.size() || from + text_bytes >= line.size()) {
      write(records.data(), count * sizeof(Event), 0);
      count = 0;
    }
  }
}

// A partly written record would misalign all following ones, so nothing is written after an error.
void Recorder::write(const void * data, std::size_t bytes, std::uint64_t events) {
  const char * from = static_cast<const char *>(data);
  std::size_t left = bytes;
  while (left > 0 && !failed_) {
    const ssize_t done = ::write(fd_, from, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      const os::Lock lock(mutex_);
      const int error = done < 0 ? errno : EIO;
      error_ = std::strerror(error);
      full_ = error == ENOSPC || error == EDQUOT;
      failed_ = true;
      break;
    }
    from += done;
    left -= static_cast<std::size_t>(done);
  }
  (failed_ ? unwritten_ : written_).fetch_add(events, std::memory_order_relaxed);
}

// Calls the log function without holding a lock, as that function may take locks of its own.
void Recorder::tell_failure() {
  if (!failed_ || std::exchange(failure_logged_, true) || !options_.log) return;
  const std::string folder = std::filesystem::absolute(options_.file).parent_path().string();
  options_.log("the trace '" + options_.file + "' ends here, as it cannot be written: " + error() +
               (full_ ? "; make room in '" + folder + "', or have it elsewhere" : ""));
}

std::uint64_t Recorder::dropped() const noexcept {
  std::uint64_t dropped = unwritten_.load(std::memory_order_relaxed);
  const os::Lock lock(mutex_);
  for (const auto & ring : rings_) dropped += ring->dropped();
  return dropped;
}

std::string Recorder::error() const {
  const os::Lock lock(mutex_);
  return error_;
}

}  // namespace takt::trace
