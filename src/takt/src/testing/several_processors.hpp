// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt::testing {

/// Two CPUs that this process may use. If there is only one, the second cannot be granted.
inline std::vector<int> two_cpus() {
  const std::vector<int> cpus = os::allowed_cpus();
  return {cpus.front(), cpus.size() > 1 ? cpus[1] : cpus.front() + 1};
}

/// On which CPUs and processors each callback ran.
class Places {
 public:
  void note(const std::string & callback) {
    const auto * job = current_job();
    const std::lock_guard lock(mutex_);
    cpus_[callback].insert(os::current_cpu());
    numbers_[callback].insert(job->task);
    ++jobs_[callback];
  }
  std::set<int> cpus(const std::string & callback) {
    const std::lock_guard lock(mutex_);
    return cpus_[callback];
  }
  std::set<TaskId> numbers(const std::string & callback) {
    const std::lock_guard lock(mutex_);
    return numbers_[callback];
  }
  int jobs(const std::string & callback) {
    const std::lock_guard lock(mutex_);
    return jobs_[callback];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::set<int>> cpus_;
  std::map<std::string, std::set<TaskId>> numbers_;
  std::map<std::string, int> jobs_;
};

/// An executor on two CPUs, with timers that note where they run.
class SeveralProcessorsTest : public ::testing::Test {
 protected:
  SeveralProcessorsTest() { executor_ = std::make_unique<SchedulingExecutor>(options("edf")); }
  ~SeveralProcessorsTest() override { stop(); }

  SchedulingExecutorOptions options(SchedulingPolicy policy) {
    return {.policy = std::move(policy),
            .cpus = two_cpus(),
            .lock_memory = false,
            .log = [this](const std::string & line) { log_.add(line); },
            .context = context_};
  }
  std::shared_ptr<Node> node(const std::string & name,
                             std::optional<std::size_t> processor = std::nullopt) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_, .processor = processor});
  }
  /// A timer that notes where it runs, in a node of its own.
  std::shared_ptr<Node> ticking(const std::string & name, const TimerOptions & options = {},
                                Duration period = std::chrono::milliseconds(2)) {
    auto made = node(name);
    timers_.push_back(made->create_timer("tick", period, options,
                                         [this, name] { places_.note(name + "/tick"); }));
    return made;
  }
  void start() {
    thread_ = std::thread([this] { executor_->spin(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    executor_->cancel();
    thread_.join();
  }
  std::map<std::string, std::size_t> placement() const {
    std::map<std::string, std::size_t> result;
    for (const TaskPlacement & task : executor_->placement()) {
      result[task.callback] = task.processor;
    }
    return result;
  }
  bool ran(const std::string & callback, int jobs = 20) {
    return eventually([&] { return places_.jobs(callback) >= jobs; });
  }
  /// Waits for a log line with this text, for at most `patience`; returns whether there is one.
  bool said(const std::string & text) {
    return eventually([&] {
      const auto lines = log_.wait_for(0);
      return std::any_of(lines.begin(), lines.end(), [&text](const std::string & line) {
        return line.find(text) != std::string::npos;
      });
    });
  }
  /// Checks that all jobs of each callback ran where its task is placed.
  void check_places() {
    const bool pinned = executor_->grants().pinned;
    for (const TaskPlacement & task : executor_->placement()) {
      if (places_.jobs(task.callback) == 0) continue;
      if (pinned) {
        EXPECT_EQ(places_.cpus(task.callback), std::set<int>{task.cpu}) << task.callback;
      }
      EXPECT_EQ(places_.numbers(task.callback).size(), 1u) << task.callback;
    }
  }

  std::shared_ptr<Context> context_ = make_context();
  Seen<std::string> log_;
  Places places_;
  std::unique_ptr<SchedulingExecutor> executor_;
  std::vector<std::shared_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<Timer>> timers_;
  std::thread thread_;
};

}  // namespace takt::testing
