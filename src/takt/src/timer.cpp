// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/timer.hpp"

#include <algorithm>
#include <utility>

#include "budget.hpp"
#include "takt/exceptions.hpp"
#include "takt/node_base.hpp"
#include "takt_core/os/clock.hpp"

namespace takt {
namespace {

model::Task task_of(const NodeBase & node, const std::string & name, Duration period,
                    const TimerOptions & options) {
  const auto refuse = [&](const std::string & what) {
    throw Error("timer '" + name + "' of node '" + node.name() + "': " + what);
  };
  if (period <= Duration::zero()) {
    refuse(
        "its period must be above 0: a timer that is always due would leave no time for less "
        "urgent tasks; give the longest period that is acceptable, such as 1 ms");
  }
  if (options.phase < Duration::zero()) refuse("its phase is negative: give 0 or more");
  if (options.own_grid && options.phase > Duration::zero()) {
    refuse("own_grid and a phase exclude each other: leave out phase or own_grid");
  }
  if (options.deadline < Duration::zero())
    refuse("its deadline is negative: give 0 for the period");
  if (options.deadline > period && options.queue == 0) {
    refuse("its deadline is longer than its period: set `queue`, so that jobs may wait");
  }
  const int priority = options.priority.value_or(model::lowest_priority);
  if (priority < model::lowest_priority || priority > model::highest_priority) {
    refuse("priority " + std::to_string(priority) + " is not between 1 and 98");
  }
  if (options.clock == ClockType::system) {
    refuse("its clock must be steady or ros: system time can be set and has no constant periods");
  }
  model::Task task;
  task.id = name;
  task.kind = TaskKind::timer;
  task.period = period.count();
  task.phase = options.phase.count();
  task.own_grid = options.own_grid;
  task.deadline = (options.deadline > Duration::zero() ? options.deadline : period).count();
  detail::set_budget(task, options);
  task.priority = priority;
  task.queue = options.queue;
  return task;
}

/// Makes the next release of an rcl timer come at `instant` instead of one period from now, which is all
/// that rcl offers, by changing the period temporarily.
void release_next_at(rcl_timer_t & timer, std::int64_t now, std::int64_t instant) {
  std::int64_t period = 0;
  std::int64_t unused = 0;
  detail::check(
      rcl_timer_exchange_period(&timer, std::max<std::int64_t>(instant - now, 0), &period),
      "cannot set a timer's start");
  const rcl_ret_t code = rcl_timer_reset(&timer);
  detail::check(rcl_timer_exchange_period(&timer, period, &unused), "cannot set a timer's start");
  detail::check(code, "cannot set a timer's start");
}

}  // namespace

Timer::Timer(const std::shared_ptr<NodeBase> & node, const std::string & name, Duration period,
             const TimerOptions & options, Function function, std::shared_ptr<Clock> clock,
             const detail::CallbackSymbol & symbol)
    : Callback(node, task_of(*node, name, period, options), options.group,
               {options.processor, options.wcet}),
      function_(std::move(function)),
      reads_(options.reads),
      publishes_(options.publishes),
      extra_releases_(options.extra_releases),
      clock_(std::move(clock)),
      made_at_(os::now()) {
  for (const Read & read : reads_) {
    if (read.subscription == nullptr) {
      throw Error("timer '" + name + "' reads a subscription that does not exist");
    }
    if (&read.subscription->node() != &this->node()) {
      throw Error("timer '" + name + "' reads '" + read.subscription->id() +
                  "' of another node: subscribe in its own node");
    }
    if (read.options.max_age <= Duration::zero()) {
      throw Error("timer '" + name + "' reads '" + read.subscription->id() +
                  "' with a max_age that is not above 0");
    }
  }
  // An rcl timer is created only if a wait set needs one. Tools identify timers by these tracepoints.
  [[maybe_unused]] const void * const handle = this;
  TRACETOOLS_TRACEPOINT(rcl_timer_init, handle, task_.period);
  TRACETOOLS_TRACEPOINT(rclcpp_timer_callback_added, handle, static_cast<const void *>(&function_));
  detail::trace_callback(&function_, symbol);
  TRACETOOLS_TRACEPOINT(rclcpp_timer_link_node, handle,
                        static_cast<const void *>(this->node().rcl_node()));
  if (clock_ == nullptr) return;
  if (task_.own_grid) begin_ros_grid(simulated() ? clock_->now_ns() : 0);
  // Done last, because the function may be called at once.
  updates_ = clock_->on_update([this](const TimeUpdate & update) { clock_changed(update); });
}

Timer::~Timer() {
  updates_.reset();
}

void Timer::detach() {
  updates_.reset();
  Callback::detach();
  for (const Read & read : reads_) read.subscription->remove_reader(*this);
  tell_subscriptions();
}

void Timer::cancel() {
  if (canceled_.exchange(true)) return;
  if (timer_ != nullptr && rcl_timer_cancel(timer_.get()) != RCL_RET_OK) detail::take_rcl_error();
  changed();
}

void Timer::reset() {
  const model::Time now = os::now();
  reset_at_ = now;
  reset_on_ros_time();
  if (timer_ != nullptr) {
    // An executor with a wait set has no grid: restart as rcl does.
    t0_ = now + task_.period - task_.phase;
    if (rcl_timer_reset(timer_.get()) != RCL_RET_OK) detail::take_rcl_error();
  }
  // A canceled timer becomes a task again before it is restarted: a point of the executor's grid between
  // the two releases nothing.
  if (!simulated()) valid_from_ = now + task_.period;
  if (canceled_.exchange(false)) {
    try {
      changed();
    } catch (...) {
      canceled_ = true;
      throw;
    }
  }
  restart(next_release());
  // Releases of the old grid up to now are void; the first release of the new one is not.
  valid_from_ = std::min(os::now(), now + task_.period);
}

// ---- reads --------------------------------------------------------------------------------------

void Timer::attach_reads() {
  const auto self = shared_from_this();
  for (const Read & read : reads_) {
    read.subscription->add_reader(self);
    if (read.options.max_age < Duration::max()) read.subscription->watch_age();
  }
  tell_subscriptions();
}

void Timer::tell_subscriptions() {
  // A subscription with jobs of its own derives its priority from the timers that read its topic.
  for (const auto & callback : node().callbacks()) {
    const auto * subscription = dynamic_cast<SubscriptionBase *>(callback.get());
    if (subscription != nullptr && reads(subscription->topic())) node().changed(callback);
  }
}

bool Timer::reads(const std::string & topic) const noexcept {
  return std::any_of(reads_.begin(), reads_.end(),
                     [&topic](const Read & read) { return read.subscription->topic() == topic; });
}

std::vector<tasks::TopicRead> Timer::topics_read() const {
  std::vector<tasks::TopicRead> topics;
  for (const Read & read : reads_) topics.push_back({read.subscription, read.options});
  return topics;
}

bool Timer::bounds_age() const noexcept {
  return std::any_of(reads_.begin(), reads_.end(),
                     [](const Read & read) { return read.options.max_age < Duration::max(); });
}

void Timer::execute(const JobInfo & job) {
  if (is_canceled()) return;
  if (job.index < model::first_extra_job) {
    if (job.release < valid_from_.load(std::memory_order_relaxed)) return;
    last_.store(job.release, std::memory_order_relaxed);
  }
  if (listens_.load(std::memory_order_relaxed)) {
    for (const Read & read : reads_) read.subscription->deliver_present();
  }
  const detail::TracedCall call(&function_);
  function_(job);
}

// ---- releases by a scheduler --------------------------------------------------------------------

model::Task Timer::task() const {
  model::Task task = task_;
  // The executor cannot wait for an instant of simulated time: the thread that sets the clock releases
  // the task.
  if (simulated()) {
    task.kind = TaskKind::other;
    task.rank_period = task.period;
    task.period = 0;
    task.phase = 0;
    task.own_grid = false;
  }
  return task;
}

model::Time Timer::next_release() const noexcept {
  if (!task_.own_grid) return Callback::next_release();
  const model::Time first = grid_begin() + task_.period;
  const model::Time last = last_.load();
  model::Time next = first;
  if (last >= first) next += ((last - first) / task_.period + 1) * task_.period;
  // One job stands for all releases that were missed.
  const model::Time now = os::now();
  return next < now ? next + (now - next) / task_.period * task_.period : next;
}

void Timer::listen(bool on) {
  listens_.store(on);
  if (clock_ == nullptr || !on) return;
  const std::int64_t now = simulated() ? clock_->now_ns() : 0;
  if (now <= 0) return begin_ros_grid(0);
  // Earlier points of the grid count as one release with a grid of its own, as in rclcpp, else as none.
  const bool due = reaches_point(now);
  if (due && task_.own_grid && !is_canceled()) released();
}

void Timer::begin_ros_grid(std::int64_t now) noexcept {
  // A clock that has not begun reads 0.
  last_ros_ = now;
  next_ros_ = now <= 0 ? -1 : now + (task_.phase > 0 ? task_.phase : task_.period);
}

void Timer::reset_on_ros_time() noexcept {
  std::int64_t next = next_ros_;
  if (next < 0 || !simulated()) return;
  const std::int64_t now = clock_->now_ns();
  const std::int64_t earliest = now + task_.period;
  if (task_.own_grid) {
    next = earliest;
  } else if (next < earliest) {
    next += (earliest - next + task_.period - 1) / task_.period * task_.period;
  }
  next_ros_ = next;
}

void Timer::clock_changed(const TimeUpdate & update) {
  const std::int64_t now = update.now_ns;
  // Without an executor, a timer on the executor's grid has no releases.
  const bool listens = listens_.load();
  if (!listens && !task_.own_grid) return;
  if (update.change != ClockChange::none) {
    begin_ros_grid(update.change == ClockChange::activated ? now : 0);
    if (!listens) return;
    // Deferred, because this thread holds locks of the clock and the parameters that a job may need.
    const executor::Processor::NonblockingRemoval nonblocking;
    changed();
    return;
  }
  if (reaches_point(now) && !is_canceled()) released();
}

bool Timer::reaches_point(std::int64_t now) noexcept {
  std::int64_t next = next_ros_;
  if (next < 0) {
    begin_ros_grid(now);
    return false;
  }
  if (now < last_ros_) {
    // The clock went back beyond the last release. (A smaller step back is ignored.)
    last_ros_ = now;
    next_ros_ = now + task_.period;
    return false;
  }
  if (now < next || !listens_.load()) return false;
  // Several points of the grid that the time jumped over count as one release, the last of them.
  const std::int64_t after = next + ((now - next) / task_.period + 1) * task_.period;
  if (!next_ros_.compare_exchange_strong(next, after)) return false;  // reset by another thread
  last_ros_ = now;
  return true;
}

// ---- releases by a wait set ---------------------------------------------------------------------

void Timer::prepare_wait_set() {
  if (timer_ != nullptr) return;
  const auto clock = clock_ != nullptr ? clock_ : std::make_shared<Clock>(ClockType::steady);
  const auto context = node().context();
  auto made = std::make_unique<rcl_timer_t>(rcl_get_zero_initialized_timer());
  {
    const os::Lock lock(clock->mutex());
    detail::check(
        rcl_timer_init2(made.get(), clock->rcl_clock().get(), context->rcl_context(), task_.period,
                        nullptr, rcl_get_default_allocator(), !is_canceled()),
        "cannot create timer '" + id() + "'");
  }
  timer_ = {made.release(), [clock, context](rcl_timer_t * timer) {
              const os::Lock lock(clock->mutex());
              if (rcl_timer_fini(timer) != RCL_RET_OK) detail::take_rcl_error();
              delete timer;
            }};
  // As in rclcpp, the first release comes one period after the timer was created.
  begin_rcl_grid((task_.own_grid ? grid_begin() : os::now()) + task_.period);
}

void Timer::set_start(model::Time t0) {
  if (timer_ != nullptr && !task_.own_grid) begin_rcl_grid(t0);
}

void Timer::begin_rcl_grid(model::Time t0) {
  t0_ = t0;
  if (is_canceled()) return;
  if (clock_ != nullptr && (!task_.own_grid || simulated())) {
    const std::int64_t due = next_ros_;
    if (task_.own_grid && due >= 0) release_next_at(*timer_, clock_->now_ns(), due);
    return;
  }
  const model::Time now = os::now();
  model::Time next = t0 + task_.phase;
  if (next < now) next += (now - next + task_.period - 1) / task_.period * task_.period;
  release_next_at(*timer_, now, next);
}

void Timer::add_to_wait_set(rcl_wait_set_t & set) {
  detail::check(rcl_wait_set_add_timer(&set, timer_.get(), &index_),
                "cannot wait for '" + id() + "'");
}

bool Timer::is_ready(const rcl_wait_set_t & set) const noexcept {
  return set.timers[index_] != nullptr;
}

bool Timer::claim(JobInfo & job) {
  rcl_timer_call_info_t info{};
  if (rcl_timer_call_with_info(timer_.get(), &info) != RCL_RET_OK) {
    detail::take_rcl_error();
    return false;
  }
  // On ROS time there is no grid of instants of CLOCK_MONOTONIC.
  if (clock_ != nullptr) return true;
  // rcl starts its timers slightly after the requested instant; the grid is the requested one.
  const model::Time first = t0_ + task_.phase;
  const model::Time since = info.expected_call_time - first + task_.period / 2;
  job.index = since > 0 ? static_cast<std::uint64_t>(since / task_.period) : 0;
  job.release = first + static_cast<model::Time>(job.index) * task_.period;
  job.deadline = job.release + task_.deadline;
  return true;
}

}  // namespace takt
