// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_timers.hpp"

#include <chrono>
#include <rclcpp/node.hpp>
#include <takt_core/os/clock.hpp>
#include <vector>

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

  void add(model::Duration period, model::Duration phase, TaskRecord & record) override {
    const auto & node = nodes_[timers_.size() % nodes_.size()];
    auto & timer = *timers_.emplace_back(std::make_unique<Timer>(Timer{period, phase, 0, nullptr}));
    timer.handle = node->create_wall_timer(
        std::chrono::nanoseconds(period), [&timer, &record](const ::rclcpp::TimerInfo & info) {
          const model::Time now = os::now();
          record.begin(index_of(info.expected_call_time.nanoseconds(), timer.first, timer.period),
                       now);
          record.finish_unmeasured();
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

 private:
  struct Timer {
    model::Duration period;
    model::Duration phase;
    model::Time first;
    ::rclcpp::TimerBase::SharedPtr handle;
  };
  RclcppSession session_;
  std::vector<::rclcpp::Node::SharedPtr> nodes_;
  std::vector<std::unique_ptr<Timer>> timers_;  // they go first
};

}  // namespace

std::unique_ptr<RclcppTimers> make_rclcpp_timers(const std::string & executor,
                                                 const std::string & policy, int cpu,
                                                 std::uint32_t nodes) {
  return std::make_unique<Timers>(executor, policy, cpu, nodes);
}

}  // namespace takt::lab
