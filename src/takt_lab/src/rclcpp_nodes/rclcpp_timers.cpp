// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_timers.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <rclcpp/node.hpp>
#include <takt_core/os/clock.hpp>
#include <vector>

#include "floor.hpp"
#include "rclcpp_nodes/executors.hpp"
#include "rclcpp_nodes/session.hpp"

namespace takt::lab {
namespace {

class Timers : public RclcppTimers {
 public:
  Timers(const std::string & name, const std::string & policy, int cpu, std::uint32_t nodes)
      : session_(name, {.policy = policy, .cpus = {cpu}}) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      nodes_.push_back(std::make_shared<::rclcpp::Node>("timers" + std::to_string(i)));
      session_.executor().add_node(nodes_.back());
    }
  }

  void add(model::Duration period, model::Duration phase, StartLog & log) override {
    const auto task = static_cast<std::uint32_t>(timers_.size());
    const auto & node = nodes_[timers_.size() % nodes_.size()];
    auto & timer = *timers_.emplace_back(std::make_unique<Timer>(Timer{period, phase, 0, nullptr}));
    timer.handle = node->create_wall_timer(
        std::chrono::nanoseconds(period), [&timer, &log, task](const ::rclcpp::TimerInfo & info) {
          const model::Time now = os::now();
          log.note(task, index_of(info.expected_call_time.nanoseconds(), timer.first, timer.period),
                   now);
        });
  }

  void set_start(model::Time t0) override {
    for (const auto & timer : timers_) {
      timer->first = t0 + timer->phase;
      begin_at(timer->handle, timer->first);
    }
  }

  void spin() override { session_.executor().spin(); }
  void cancel() override { session_.executor().cancel(); }
  takt::executor::Grants grants() override {
    return session_.controls() != nullptr ? session_.controls()->grants()
                                          : takt::executor::Grants();
  }

 protected:
  struct Timer {
    model::Duration period;
    model::Duration phase;
    model::Time first;
    ::rclcpp::TimerBase::SharedPtr handle;
  };
  const std::vector<std::unique_ptr<Timer>> & timers() const noexcept { return timers_; }

 private:
  RclcppSession session_;
  std::vector<::rclcpp::Node::SharedPtr> nodes_;
  std::vector<std::unique_ptr<Timer>> timers_;  // last, so that they are destroyed first
};

/// The least that a single-threaded executor needs for the same timers: sleeps until the next release and
/// calls the timer as rclcpp's executors do.
class FloorTimers : public Timers {
 public:
  using Timers::Timers;

  void set_start(model::Time t0) override {
    Timers::set_start(t0);
    std::vector<model::Duration> phases;
    for (const auto & timer : timers()) phases.push_back(timer->phase);
    heap_.emplace(t0, timers().front()->period, phases);
  }

  void spin() override {
    model::Time now = 0;
    while (!stopped_.load()) {
      const auto & next = heap_->top();
      if (next.release > now) os::sleep_until(next.release);
      const auto & timer = timers()[next.task]->handle;
      if (const auto data = timer->call()) timer->execute_callback(data);
      now = os::now();
      heap_->advance(now);
    }
  }
  void cancel() override { stopped_.store(true); }

 private:
  std::optional<ReleaseHeap> heap_;
  std::atomic<bool> stopped_{false};
};

}  // namespace

std::unique_ptr<RclcppTimers> make_rclcpp_timers(const std::string & executor,
                                                 const std::string & policy, int cpu,
                                                 std::uint32_t nodes) {
  if (executor == rclcpp_floor) {
    return std::make_unique<FloorTimers>("rclcpp-single", policy, cpu, nodes);
  }
  return std::make_unique<Timers>(executor, policy, cpu, nodes);
}

}  // namespace takt::lab
