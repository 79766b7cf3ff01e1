// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "cpu_window.hpp"

#include <algorithm>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>
#include <utility>

namespace takt::lab {

void CpuWindow::prepare() {
  threads_.clear();
  for (os::ThreadInfo & info : os::threads_of_process()) {
    threads_.push_back({.tid = info.tid, .name = std::move(info.name)});
  }
  begin_.assign(threads_.size(), 0);
}

void CpuWindow::open() noexcept {
  opened_ = os::now();
  process_begin_ = os::process_cpu();
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    begin_[i] = std::max<model::Time>(os::thread_cpu_of(threads_[i].tid), 0);
  }
}

void CpuWindow::close() {
  closed_ = os::now();
  process_ = os::process_cpu() - process_begin_;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const model::Time end = os::thread_cpu_of(threads_[i].tid);
    threads_[i].cpu = end < 0 ? -1 : end - begin_[i];
  }
  std::erase_if(threads_, [](const ThreadUse & thread) { return thread.cpu < 0; });
  for (os::ThreadInfo & info : os::threads_of_process()) {
    const auto known =
        std::find_if(threads_.begin(), threads_.end(),
                     [&](const ThreadUse & thread) { return thread.tid == info.tid; });
    if (known == threads_.end()) {
      threads_.push_back({info.tid, std::move(info.name), info.priority, info.cpu_ns, info.cpu});
    } else {
      // Updated, because threads set their names shortly after they start.
      known->name = std::move(info.name);
      known->priority = info.priority;
      known->pinned = info.cpu;
    }
  }
}

}  // namespace takt::lab
