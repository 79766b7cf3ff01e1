// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/timer.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "takt/callback.hpp"
#include "takt/clock.hpp"
#include "takt/subscription_base.hpp"
#include "takt/time.hpp"
#include "takt/tracepoints.hpp"
#include "takt_core/tasks/topics.hpp"

namespace takt {

/// A subscription whose messages a timer is given before its job runs.
struct Read {
  std::shared_ptr<SubscriptionBase> subscription;
  ReadOptions options = {};
};

struct TimerOptions {
  /// 1 to 98, higher is more urgent; for `fp`. Default: the lowest.
  std::optional<int> priority = std::nullopt;
  /// Relative to the release. 0: the period. Longer than the period only with `queue`.
  Duration deadline = Duration::zero();
  /// The first release is at t0 + phase.
  Duration phase = Duration::zero();
  /// Its releases do not lie on the executor's grid: the first comes one period after the timer was
  /// made or reset, as rclcpp's. It has no phase then.
  bool own_grid = false;
  /// What the job reads: messages present at its start are delivered first, on the same thread.
  std::vector<Read> reads = {};
  /// The topics on which its jobs publish, for who reads them with a `max_age`. Default: those of
  /// the node that none of its callbacks names, if it is the only one of the node that could.
  Topics publishes = {};
  /// It may be released beyond its grid, to refresh what another reads with a `max_age`.
  bool extra_releases = false;
  /// Overrun: how many further jobs may wait while one is unfinished, at most
  /// model::longest_queue. 0: skip.
  std::uint32_t queue = 0;
  /// CPU time that a job may use; 0: as much as it needs.
  Duration budget = Duration::zero();
  /// What becomes of a job that has used it up. `background` only in a group of its own or a
  /// reentrant one.
  OnBudget on_budget = OnBudget::report;
  /// Default: the node's.
  CallbackGroup::SharedPtr group = nullptr;
  /// Which of its executor's processors it runs on, as NodeOptions::processor. Default: its
  /// group's, else the node's.
  std::optional<std::size_t> processor = std::nullopt;
  /// The longest that a job takes of its CPU, at least 0: for the choice of a processor, by
  /// wcet / period. Nothing enforces it. 0: its budget.
  Duration wcet = Duration::zero();
  /// steady or ros. While ROS time is not simulated such a timer keeps the steady grid.
  ClockType clock = ClockType::steady;
};

/// A periodic callback. Its releases lie at t0 + phase + k * period for ever or, with a grid of its
/// own, at k * period after it was made or reset (k >= 1). Simulated time: the grid begins when an
/// executor takes the timer or, with a grid of its own, when it is made, but not before the clock
/// does; the first release comes its phase later, or a period where it has none. Where the clock goes
/// back beyond the last release, the next comes a period later. Made by Node::create_timer and
/// create_wall_timer.
class Timer : public Callback {
 public:
  using SharedPtr = std::shared_ptr<Timer>;
  using Function = std::function<void(const JobInfo &)>;

  /// `clock`: the node's, for a timer on ROS time; else nullptr. `symbol`: of the user's function.
  /// Throws Error.
  Timer(const std::shared_ptr<NodeBase> & node, const std::string & name, Duration period,
        const TimerOptions & options, Function function, std::shared_ptr<Clock> clock,
        const detail::CallbackSymbol & symbol);
  ~Timer() override;

  Duration period() const noexcept { return Duration(task_.period); }

  // Any thread, callbacks too, while spinning or not. cancel(), and reset() of one that is canceled,
  // allocate and change the executor's tasks: from a thread outside of callbacks they wait until no
  // job of it is started.

  /// No job starts after this, until reset().
  void cancel();
  bool is_canceled() const noexcept { return canceled_.load(std::memory_order_relaxed); }
  /// It is not called within a period, which is that of the scenario that holds: with a grid of its
  /// own it is next after one period, on the executor's at the first point that is a period away or
  /// more. What was released before is no longer called. So a timer that is reset more often than its
  /// period is never called. Throws Error if one that is canceled cannot be where it would have to
  /// be, with several CPUs: it stays canceled.
  void reset();

  const std::vector<Read> & reads() const noexcept { return reads_; }
  const Topics & publishes() const noexcept { return publishes_; }
  /// Tells the subscriptions it reads, and those of its node on the same topics. Once, after
  /// NodeBase::add. Throws Error if their groups do not fit.
  void attach_reads();

  // ---- Callback

  model::Task task() const override;
  bool is_task() const noexcept override { return !is_canceled(); }
  bool reads(const std::string & topic) const noexcept override;
  std::vector<tasks::TopicRead> topics_read() const override;
  bool bounds_age() const noexcept override;
  const Topics * topics_published() const noexcept override { return &publishes_; }
  bool extra_releases() const noexcept override { return extra_releases_; }
  void execute(const JobInfo & job) override;
  model::Time next_release() const noexcept override;
  model::Time last_reset() const noexcept override { return reset_at_; }
  void listen(bool on) override;
  void prepare_wait_set() override;
  WaitSetSize wait_set_size() const noexcept override { return {.timers = 1}; }
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;
  bool claim(JobInfo & job) override;
  void set_start(model::Time t0) override;
  void detach() override;

 private:
  void tell_subscriptions();
  /// Where its grid begins, if it has one of its own.
  model::Time grid_begin() const noexcept { return std::max(made_at_, reset_at_.load()); }
  void clock_changed(const TimeUpdate & update);
  /// Simulated time is now there; true if that is a release.
  bool reaches_point(std::int64_t now) noexcept;
  /// On simulated time its grid begins at this instant.
  void begin_ros_grid(std::int64_t now) noexcept;
  void reset_on_ros_time() noexcept;
  void begin_rcl_grid(model::Time t0);
  bool simulated() const noexcept { return clock_ != nullptr && clock_->ros_time_is_active(); }

  // What a job touches lies together.
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> listens_ = false;  // an executor that is told of releases has it
  Function function_;
  std::vector<Read> reads_;
  Topics publishes_;
  bool extra_releases_;

  std::shared_ptr<Clock> clock_;
  Clock::Handle updates_;
  // Of simulated time: its next release, -1 before the clock has begun, and the last.
  std::atomic<std::int64_t> next_ros_ = -1;
  std::atomic<std::int64_t> last_ros_ = 0;
  const model::Time made_at_;
  std::atomic<model::Time> reset_at_ = -model::never;  // the last time
  std::atomic<model::Time> last_ = -model::never;      // release of the last job
  std::atomic<model::Time> valid_from_ =
      -model::never;  // what was released before is of before a reset

  std::shared_ptr<rcl_timer_t> timer_;
  std::atomic<model::Time> t0_ = 0;
  std::size_t index_ = 0;
};

namespace detail {

template <typename F>
Timer::Function make_timer_function(F function) {
  if constexpr (std::is_invocable_v<F &>) {
    return [function = std::move(function)](const JobInfo &) mutable { function(); };
  } else {
    static_assert(std::is_invocable_v<F &, const JobInfo &>,
                  "a timer's callback takes () or (const takt::JobInfo &)");
    return function;
  }
}

}  // namespace detail
}  // namespace takt
