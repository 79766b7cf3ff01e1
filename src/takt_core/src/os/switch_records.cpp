// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/switch_records.hpp"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace takt::os {
namespace {

/// The end of a record, as determined by the requested sample_type; see perf_event_open(2).
struct SampleId {
  std::uint32_t pid;
  std::uint32_t tid;
  std::uint64_t time;
};

struct Lost {
  std::uint64_t event;
  std::uint64_t count;
};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

int open_event(SwitchRecords::Of of, int number) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_DUMMY;
  wanted.context_switch = 1;
  wanted.sample_id_all = 1;
  wanted.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  // Kernel and hypervisor events are not needed, and would need more rights.
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  const bool thread = of == SwitchRecords::Of::thread;
  return static_cast<int>(syscall(SYS_perf_event_open, &wanted, thread ? number : -1,
                                  thread ? -1 : number, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

SwitchRecords::SwitchRecords(Of of, int number, std::size_t pages)
    : of_(of), bytes_((1 + pages) * page_size()), event_(open_event(of, number)) {
  if (event_ < 0) {
    error_ = errno;
    return;
  }
  void * const at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, event_, 0);
  if (at == MAP_FAILED) {
    error_ = errno;
    return;
  }
  ring_ = static_cast<perf_event_mmap_page *>(at);
}

SwitchRecords::~SwitchRecords() {
  if (ring_ != nullptr) munmap(ring_, bytes_);
  if (event_ >= 0) close(event_);
}

std::string SwitchRecords::refusal() const {
  if (error_ == 0) return "";
  std::string line = "the kernel does not record switches: " + std::string(std::strerror(error_));
  if (error_ == EACCES || error_ == EPERM) {
    line += "; run as root, or `sudo sysctl kernel.perf_event_paranoid=";
    line += of_ == Of::thread ? "2`" : "-1`";
  }
  return line;
}

void SwitchRecords::read(const std::function<void(const SwitchRecord &)> & record,
                         const std::function<void(std::uint64_t)> & lost) {
  if (ring_ == nullptr) return;
  const std::uint64_t head = std::atomic_ref(ring_->data_head).load(std::memory_order_acquire);
  std::uint64_t tail = ring_->data_tail;
  while (tail < head) {
    perf_event_header header{};
    copy(tail, &header, sizeof header);
    if (header.type == PERF_RECORD_LOST) {
      Lost gone{};
      copy(tail + sizeof header, &gone, sizeof gone);
      lost(gone.count);
    } else if (header.type == PERF_RECORD_SWITCH || header.type == PERF_RECORD_SWITCH_CPU_WIDE) {
      SampleId id{};
      copy(tail + header.size - sizeof id, &id, sizeof id);
      const bool out = (header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
      record({.at = static_cast<Time>(id.time),
              .tid = std::max(0, static_cast<int>(id.tid)),
              .in = !out,
              .preempted = out && (header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0});
    }
    tail += header.size;
  }
  std::atomic_ref(ring_->data_tail).store(tail, std::memory_order_release);
}

/// Copies from the ring, where a record may wrap around.
void SwitchRecords::copy(std::uint64_t from, void * to, std::size_t size) const {
  const char * const data = reinterpret_cast<const char *>(ring_) + ring_->data_offset;
  const std::uint64_t room = ring_->data_size;
  const std::size_t first = std::min<std::size_t>(size, room - from % room);
  std::memcpy(to, data + from % room, first);
  std::memcpy(static_cast<char *>(to) + first, data, size - first);
}

}  // namespace takt::os
