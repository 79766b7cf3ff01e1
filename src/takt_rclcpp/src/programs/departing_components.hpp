// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <rclcpp_components/node_instance_wrapper.hpp>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/os/condition.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp {

/// Components that are to go when their callbacks have returned. Each has a thread of ordinary
/// priority (`takt.unload`) that waits for that, so none holds up another. Thread-safe but for what
/// says otherwise.
class DepartingComponents {
 public:
  using Component = rclcpp_components::NodeInstanceWrapper;
  /// Is told once, by any thread: "" when it has gone, else what it waits for.
  using Answer = std::function<void(const std::string & error)>;

  /// `limit`: after that who asked is told that it has not gone yet.
  DepartingComponents(std::shared_ptr<SchedulingExecutor> executor, std::chrono::nanoseconds limit)
      : executor_(std::move(executor)), limit_(limit) {}
  /// Waits until all have gone.
  ~DepartingComponents() = default;
  DepartingComponents(const DepartingComponents &) = delete;
  DepartingComponents & operator=(const DepartingComponents &) = delete;

  // One thread at a time.

  /// Its node has left the executor. Throws std::system_error if there can be no thread.
  void add(std::uint64_t id, Component component, Answer answer);
  /// Who asks for one that is going already is told the same. False if there is none of this number.
  bool ask(std::uint64_t id, const Answer & answer);

  /// Numbers and full names of those that have not gone.
  std::vector<std::pair<std::uint64_t, std::string>> list() const;
  /// Blocks until all have gone. But their callbacks are waited for no longer than `limit`: returns
  /// the names of those that have not returned then.
  std::vector<std::string> finish(std::chrono::nanoseconds limit);

 private:
  using Node = ::rclcpp::node_interfaces::NodeBaseInterface;
  struct One {
    std::uint64_t id = 0;
    std::string name;
    Node::WeakPtr node;
    Component component;          // of its thread
    std::vector<Answer> answers;  // of those who wait
    std::string error;            // as it was told; "": nobody was
    bool returned = false;        // its callbacks have
    bool gone = false;
    os::Thread thread;  // the last: it uses the others
  };
  void run(One & one);
  std::vector<std::string> left(const Node::WeakPtr & node, std::chrono::nanoseconds limit) const;

  const std::shared_ptr<SchedulingExecutor> executor_;
  const std::chrono::nanoseconds limit_;
  mutable os::Mutex mutex_{os::LockRank::program};  // of their answers, errors and ends, too
  os::Condition changed_;
  std::list<One> all_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
