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

/// A subscription whose messages are delivered at the start of each job of a timer.
struct Read {
  std::shared_ptr<SubscriptionBase> subscription;
  ReadOptions options = {};
};

/// Options of Node::create_timer(). Values out of range make the creation throw Error.
struct TimerOptions {
  /// Priority of the timer's jobs under the policy `fp`: 1 to 98, higher is more urgent. Default: 1, the
  /// lowest.
  std::optional<int> priority = std::nullopt;
  /// Deadline relative to the release, at least 0. 0: the period. It may be longer than the period only
  /// if `queue` is above 0.
  Duration deadline = Duration::zero();
  /// Offset of the first release from t0, the origin of the executor's grid; at least 0.
  Duration phase = Duration::zero();
  /// If true, the releases do not lie on the executor's grid: the first comes one period after the timer
  /// was created or reset, as in rclcpp. `phase` must be 0 then.
  bool own_grid = false;
  /// The subscriptions that the timer's jobs read: the messages that are present at the start of a job
  /// are delivered first, on the same thread.
  std::vector<Read> reads = {};
  /// The topics on which the timer's jobs publish. They are needed where other tasks read these topics
  /// with a `max_age`. Default: the topics published by the node that no callback of the node names,
  /// provided that this is the only callback of the node that could publish them.
  Topics publishes = {};
  /// Whether the executor may release extra jobs, beyond the timer's grid, to refresh data that another
  /// task reads with a `max_age`.
  bool extra_releases = false;
  /// The reaction to overruns: how many further jobs may wait while one is unfinished, at most
  /// model::longest_queue. 0: such releases are skipped.
  std::uint32_t queue = 0;
  /// CPU time that one job may use. 0: unlimited.
  Duration budget = Duration::zero();
  /// The reaction when a job has used up its budget. `background` is allowed only if no other callback
  /// is in the timer's mutually exclusive group, or if its group is reentrant.
  OnBudget on_budget = OnBudget::report;
  /// The callback group. Default (nullptr): the node's default group.
  CallbackGroup::SharedPtr group = nullptr;
  /// The index of the executor's processor that runs the jobs; see NodeOptions::processor. Default: the
  /// processor of the group, else that of the node.
  std::optional<std::size_t> processor = std::nullopt;
  /// Worst-case execution time of a job, at least 0. It is used only to place the task on a processor,
  /// by its utilisation wcet / period; it is not enforced. 0: the budget is used instead.
  Duration wcet = Duration::zero();
  /// ClockType::steady or ClockType::ros. On ROS time that is not simulated, the timer uses the steady
  /// grid.
  ClockType clock = ClockType::steady;
};

/// A periodic callback. Created by Node::create_timer() and create_wall_timer().
///
/// The k-th release is at t0 + phase + k * period, for ever. With `own_grid`, it is at k * period after
/// the creation or the last reset (k >= 1).
///
/// On simulated time, the grid begins when an executor takes the timer or, with `own_grid`, when the
/// timer is created, but not before the first message on /clock. The first release comes `phase` later,
/// or one period later if `phase` is 0. If the clock goes back beyond the last release, the next release
/// comes one period after the new time. (Under StockExecutor, whose timers are rcl's, the first message on
/// /clock may release a timer at once.)
class Timer : public Callback {
 public:
  using SharedPtr = std::shared_ptr<Timer>;
  using Function = std::function<void(const JobInfo &)>;

  /// `clock` is the node's clock for a timer on ROS time, else nullptr. `symbol` is that of the user's
  /// function. Throws Error. Allocates.
  Timer(const std::shared_ptr<NodeBase> & node, const std::string & name, Duration period,
        const TimerOptions & options, Function function, std::shared_ptr<Clock> clock,
        const detail::CallbackSymbol & symbol);
  ~Timer() override;

  /// The period given at creation; a scenario may set another one. Any thread; neither allocates
  /// nor blocks.
  Duration period() const noexcept { return Duration(task_.period); }

  // The functions below may be called from any thread, including callbacks, while spinning or not.
  // cancel(), and reset() of a canceled timer, allocate and change the executor's task set. Outside of
  // callbacks, they wait until a running job of this timer has finished; inside, they do not wait.

  /// Stops the timer: no job starts any more until reset().
  void cancel();
  bool is_canceled() const noexcept { return canceled_.load(std::memory_order_relaxed); }
  /// Restarts the timer. Jobs that were released before are not run any more. The next release
  /// comes one period later with `own_grid`, else at the first point of the executor's grid that is
  /// at least one period away. The period is that of the current scenario; on simulated time, where
  /// a scenario does not change it, that given at creation. A timer that is reset more often than
  /// once per period is thus never called. Throws Error if a canceled timer cannot be placed as
  /// requested, on several CPUs; it stays canceled.
  void reset();

  /// The subscriptions that the timer reads, and the topics on which it publishes, as given at
  /// creation. Any thread; neither allocates nor blocks.
  const std::vector<Read> & reads() const noexcept { return reads_; }
  const Topics & publishes() const noexcept { return publishes_; }
  /// Registers the timer as a reader with the subscriptions that it reads, and updates the node's other
  /// subscriptions on the same topics. To be called once, after NodeBase::add(). Throws Error if the
  /// groups of timer and subscriptions do not permit it.
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
  /// The origin of the timer's grid if it has one of its own.
  model::Time grid_begin() const noexcept { return std::max(made_at_, reset_at_.load()); }
  void clock_changed(const TimeUpdate & update);
  /// Advances the grid to the simulated time `now`; returns whether the timer is released by that.
  bool reaches_point(std::int64_t now) noexcept;
  /// Makes the grid on simulated time begin at `now`; 0: when the clock begins.
  void begin_ros_grid(std::int64_t now) noexcept;
  void reset_on_ros_time() noexcept;
  void begin_rcl_grid(model::Time t0);
  bool simulated() const noexcept { return clock_ != nullptr && clock_->ros_time_is_active(); }

  // The members that each job accesses are adjacent, to save cache misses.
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> listens_ = false;  // it belongs to an executor that is notified of releases
  Function function_;
  std::vector<Read> reads_;
  Topics publishes_;
  bool extra_releases_;

  std::shared_ptr<Clock> clock_;
  Clock::Handle updates_;
  // On simulated time: the next release, -1 before the clock has begun, and the last one.
  std::atomic<std::int64_t> next_ros_ = -1;
  std::atomic<std::int64_t> last_ros_ = 0;
  const model::Time made_at_;
  std::atomic<model::Time> reset_at_ = -model::never;  // the last reset
  std::atomic<model::Time> last_ = -model::never;      // release of the last job
  std::atomic<model::Time> valid_from_ =
      -model::never;  // jobs released earlier are ignored: the timer has been reset since

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
