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

/// The components that are destroyed as soon as their callbacks have returned. Each has a thread of
/// ordinary priority (`takt.unload`) that waits for that, so components do not delay each other.
/// Thread-safe, unless stated otherwise.
class DepartingComponents {
 public:
  using Component = rclcpp_components::NodeInstanceWrapper;
  /// Called once, by any thread: with "" when the component has been destroyed, else with the reason why
  /// it has not been.
  using Answer = std::function<void(const std::string & error)>;

  /// `limit` is the time after which a component that still exists is reported to the caller of add().
  DepartingComponents(std::shared_ptr<SchedulingExecutor> executor, std::chrono::nanoseconds limit)
      : executor_(std::move(executor)), limit_(limit) {}
  /// Waits until all components have been destroyed.
  ~DepartingComponents() = default;
  DepartingComponents(const DepartingComponents &) = delete;
  DepartingComponents & operator=(const DepartingComponents &) = delete;

  // add() and ask(): one thread at a time.

  /// Adds a component whose node has been removed from the executor.
  void add(std::uint64_t id, Component component, Answer answer);
  /// Adds a further receiver of the answer for a component that was added before. Returns false if there
  /// is none of this number.
  bool ask(std::uint64_t id, const Answer & answer);

  /// Returns the numbers and full names of the components that have not been destroyed yet.
  std::vector<std::pair<std::uint64_t, std::string>> list() const;
  /// Blocks until all components have been destroyed, but waits for their callbacks for at most `limit`.
  /// Returns the names of the callbacks that have not returned then.
  std::vector<std::string> finish(std::chrono::nanoseconds limit);

 private:
  using Node = ::rclcpp::node_interfaces::NodeBaseInterface;
  struct One {
    std::uint64_t id = 0;
    std::string name;
    Node::WeakPtr node;
    Component component;          // accessed only by its thread
    std::vector<Answer> answers;  // to be called
    std::string error;            // the error that was reported; "": none
    bool returned = false;        // whether its callbacks have returned
    bool gone = false;            // whether it has been destroyed
    os::Thread thread;            // the last member, because it uses the others
  };
  void run(One & one);
  std::vector<std::string> left(const Node::WeakPtr & node, std::chrono::nanoseconds limit) const;

  const std::shared_ptr<SchedulingExecutor> executor_;
  const std::chrono::nanoseconds limit_;
  mutable os::Mutex mutex_{os::LockRank::program};  // also guards answers, error, returned and gone
  os::Condition changed_;
  std::list<One> all_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
