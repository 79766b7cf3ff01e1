// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "thread_watch.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "takt_core/executor/thread_roles.hpp"

namespace takt::view {
namespace {

/// Returns the threads whose real-time priority is above that of every worker.
std::vector<int> above_workers(const std::vector<tasks::InspectedThread> & threads) {
  const std::string_view worker = executor::to_string(executor::ThreadRole::worker);
  int highest = 0;
  for (const auto & thread : threads) {
    if (thread.role == worker) highest = std::max(highest, thread.info.priority);
  }
  std::vector<int> above;
  for (const auto & thread : threads) {
    if (thread.role != worker && thread.info.priority > highest) above.push_back(thread.info.tid);
  }
  return above;
}

}  // namespace

void ThreadWatch::begin(os::Time now, os::Time length) {
  if (now >= until_) {
    stretches_.clear();
    longest_.clear();
    error_.clear();
    from_ = now;
    last_ = now;
  }
  until_ = now + length;
}

void ThreadWatch::look(os::Time now, const tasks::Inspection & inspection) {
  if (last_ >= until_) return;
  const std::vector<int> tids = above_workers(inspection.threads);
  if (std::string error = stretches_.watch(tids); !error.empty()) error_ = std::move(error);
  stretches_.look();
  last_ = now;
  for (const int tid : tids) {
    if (const auto longest = stretches_.of(tid)) longest_[tid] = *longest;
  }
  if (now >= until_) stretches_.clear();
}

void ThreadWatch::fill(tasks::Inspection & inspection) const {
  inspection.watched = last_ - from_;
  inspection.watch_error = error_;
  for (tasks::InspectedThread & thread : inspection.threads) {
    const auto found = longest_.find(thread.info.tid);
    if (found != longest_.end()) thread.longest_run = found->second;
  }
}

}  // namespace takt::view
