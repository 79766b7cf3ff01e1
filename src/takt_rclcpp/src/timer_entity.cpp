// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "timer_entity.hpp"

#include <rcl/error_handling.h>
#include <rcl/timer.h>
#include <tracetools/tracetools.h>

#include <algorithm>
#include <array>
#include <utility>

#include "subscription_entity.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {
namespace {

/// The shortest period of timers that are released on a grid. More frequent releases would leave the
/// releasing thread no time for anything else.
constexpr model::Duration shortest_period = 50'000;

model::Duration period_of(const ::rclcpp::TimerBase::SharedPtr & timer) {
  std::int64_t period = 0;
  if (rcl_timer_get_period(timer->get_timer_handle().get(), &period) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return std::min(period, model::furthest);  // that is, never
}

/// Returns the clock of an rcl timer; nullptr if rcl fails.
rcl_clock_t * clock_of(const rcl_timer_t * timer) noexcept {
  rcl_clock_t * clock = nullptr;
  // The cast is safe: rcl does not change the timer.
  if (rcl_timer_clock(const_cast<rcl_timer_t *>(timer), &clock) == RCL_RET_OK) return clock;
  rcl_reset_error();
  return nullptr;
}

}  // namespace

model::Task TimerEntity::task_of(const ::rclcpp::TimerBase::SharedPtr & timer,
                                 const TaskOptions & options) {
  model::Task task = make_task(name_of(timer), model::TaskKind::timer, options);
  task.period = period_of(timer);
  if (task.period < shortest_period) {
    // rclcpp allows a period of 0, that is, always due: the end of a job releases the next one.
    task.kind = model::TaskKind::other;
    if (options.phase || options.extra_releases || options.queue > 0) {
      throw Error("'" + task.id +
                  "': a timer with a period below 50 us has no grid, so no phase, queue or extra "
                  "releases");
    }
    task.queue = 1;
    return task;
  }
  if (!options.deadline) task.deadline = task.period;
  if (options.phase) {
    if (*options.phase < Duration::zero()) throw Error("'" + task.id + "': its phase is negative");
    if (!timer->is_steady()) {
      throw Error("'" + task.id +
                  "': only a timer on steady time, such as rclcpp's wall timers, has a phase");
    }
    task.phase = options.phase->count();
  } else {
    task.own_grid = true;
  }
  return task;
}

TimerEntity::TimerEntity(std::shared_ptr<NodeView> node,
                         const ::rclcpp::TimerBase::SharedPtr & timer,
                         CallbackGroup::SharedPtr group, const TaskOptions & options,
                         std::shared_ptr<EntityWatcher> watcher)
    : Entity(std::move(node), task_of(timer, options), std::move(group), options,
             std::move(watcher)),
      timer_(timer),
      handle_(timer->get_timer_handle().get()) {
  if (timer->is_steady()) return;
  clock_ = clock_of(timer->get_timer_handle().get());
  simulated_ = is_simulated();
}

std::string TimerEntity::name_of(const ::rclcpp::TimerBase::SharedPtr & timer) {
  struct Unit {
    model::Duration length;
    const char * name;
  };
  constexpr std::array units{Unit{1'000'000'000, "s"}, Unit{1'000'000, "ms"}, Unit{1'000, "us"},
                             Unit{1, "ns"}};
  const model::Duration period = period_of(timer);
  for (const Unit & unit : units) {
    if (period % unit.length == 0 && period > 0) {
      return "timer:" + std::to_string(period / unit.length) + unit.name;
    }
  }
  return "timer:0ms";
}

// ---- reads --------------------------------------------------------------------------------------

void TimerEntity::set_reads(const std::vector<tasks::TopicRead> & reads) {
  const auto alike = [](const tasks::TopicRead & a, const tasks::TopicRead & b) {
    return a.subscription == b.subscription && a.options.max_age == b.options.max_age &&
           a.options.on_stale == b.options.on_stale;
  };
  const Reads before = current_reads();
  if (std::equal(before->begin(), before->end(), reads.begin(), reads.end(), alike)) return;
  const auto theirs = group();
  for (const tasks::TopicRead & read : reads) {
    if (&read.subscription->node() != &node()) {
      throw Error("'" + id() + "' reads '" + read.subscription->id() +
                  "' of another node: subscribe in its own node");
    }
    if (read.subscription->group() != theirs || theirs->type() == CallbackGroupType::reentrant) {
      throw Error("'" + id() + "' cannot read '" + read.subscription->id() +
                  "': they could run at the same time; put both into one mutually exclusive "
                  "callback group");
    }
    if (read.options.max_age <= Duration::zero()) {
      throw Error("'" + id() + "' reads '" + read.subscription->id() +
                  "' with a max_age that is not above 0");
    }
  }
  Reads old = std::make_shared<std::vector<tasks::TopicRead>>(reads);
  {
    const os::Lock lock(mutex_);
    std::swap(reads_, old);
  }
  any_reads_.store(!reads.empty());
  const auto self = weak_from_this();
  for (const auto & read : *old) {
    static_cast<SubscriptionEntity &>(*read.subscription).remove_reader(self);
  }
  for (const auto & read : reads) {
    static_cast<SubscriptionEntity &>(*read.subscription).add_reader(self);
    if (read.options.max_age < Duration::max()) read.subscription->watch_age();
  }
  changed();
}

TimerEntity::Reads TimerEntity::current_reads() const noexcept {
  const os::Lock lock(mutex_);
  return reads_;
}

std::vector<tasks::TopicRead> TimerEntity::topics_read() const {
  return *current_reads();
}

bool TimerEntity::reads(const std::string & topic) const noexcept {
  const Reads reads = current_reads();
  return std::any_of(reads->begin(), reads->end(), [&topic](const tasks::TopicRead & read) {
    return read.subscription->topic() == topic;
  });
}

bool TimerEntity::bounds_age() const noexcept {
  const Reads reads = current_reads();
  return std::any_of(reads->begin(), reads->end(), [](const tasks::TopicRead & read) {
    return read.options.max_age < Duration::max();
  });
}

// ---- releases -----------------------------------------------------------------------------------

bool TimerEntity::is_simulated() const noexcept {
  if (clock_ == nullptr || clock_->type != RCL_ROS_TIME) return false;
  const auto alive = timer_.lock();  // keeps the timer's clock alive, too
  bool active = false;
  if (alive == nullptr) return false;
  if (rcl_is_enabled_ros_time_override(clock_, &active) != RCL_RET_OK) rcl_reset_error();
  return active;
}

model::Task TimerEntity::task() const {
  model::Task task = task_;
  if (simulated_.load()) {
    task.kind = model::TaskKind::other;
    task.queue = std::max<std::uint32_t>(task.queue, 1);  // it may be due again while its job runs
    task.rank_period = task.period;
    task.period = 0;
    task.own_grid = false;
  }
  return task;
}

model::Time TimerEntity::next_release() const noexcept {
  return task_.own_grid ? next_call() : Entity::next_release();
}

model::Time TimerEntity::next_call() const noexcept {
  const auto timer = timer_.lock();
  if (timer == nullptr || !listening_.load() || simulated_.load()) return model::never;
  std::int64_t until = 0;
  const rcl_ret_t code =
      rcl_timer_get_time_until_next_call(timer->get_timer_handle().get(), &until);
  if (code != RCL_RET_OK) {
    rcl_reset_error();
    return model::never;  // canceled
  }
  if (until >= model::furthest) return model::never;
  // One call stands for all calls that were missed.
  const model::Duration missed = until < 0 ? -until / task_.period : 0;
  return os::now() + until + missed * task_.period;
}

void TimerEntity::begin() noexcept {
  if (always()) {
    released();
  } else {
    const model::Time next = next_call();
    if (next != model::never) called_.store(next - task_.period);
    restart(next_release());
  }
}

void TimerEntity::was_reset() noexcept {
  const model::Time now = os::now();
  reset_at_.store(now);
  valid_from_.store(now);
  begin();
  // Before this, it may have been released by its grid of before the reset.
  valid_from_.store(std::min(os::now(), now + task_.period));
}

void TimerEntity::was_canceled(::rclcpp::TimerBase & timer) noexcept {
  restart(model::never);
  // The timer may have been reset concurrently, just before that.
  if (!timer.is_canceled()) begin();
}

void TimerEntity::tick() {
  look_at_clock();
  const auto timer = timer_.lock();
  if (timer == nullptr || !simulated_.load()) return;
  if (timer->is_canceled() || !timer->is_ready()) return;
  // Simulated time may be updated many times before the job begins. If it does not begin, for example
  // because the task is suspended, the timer is released again after one period.
  const model::Time now = os::now();
  if (released_at_.load() > now - task_.period) return;
  released_at_.store(now);
  released();
}

void TimerEntity::look_at_clock() {
  const bool now = is_simulated();
  if (simulated_.exchange(now) == now) return;
  changed();
}

void TimerEntity::start_listening() {
  const auto timer = timer_.lock();
  if (timer == nullptr) return;
  const auto weak = std::weak_ptr(std::static_pointer_cast<TimerEntity>(shared_from_this()));
  timer->set_on_reset_callback([weak](std::size_t) {
    if (const auto self = weak.lock()) self->was_reset();
  });
  listening_.store(true);
}

void TimerEntity::stop_listening() noexcept {
  listening_.store(false);
  if (const auto timer = timer_.lock()) timer->clear_on_reset_callback();
  restart(model::never);
}

void TimerEntity::listening_began() {
  // In the meantime, the timer may have been called by one of rclcpp's own ways to spin.
  look_at_clock();
  begin();
}

void TimerEntity::continue_from(const Entity & old) {
  called_.store(static_cast<const TimerEntity &>(old).called_.load());
}

void TimerEntity::detach() {
  Entity::detach();
  set_reads({});
}

rcl_timer_call_info_t TimerEntity::call_of(const executor::JobInfo & job) const noexcept {
  if (clock_ == nullptr) return {.expected_call_time = job.release, .actual_call_time = job.start};
  // The release is not known as an instant of the timer's clock.
  rcl_time_point_value_t now = 0;
  if (rcl_clock_get_now(clock_, &now) != RCL_RET_OK) rcl_reset_error();
  return {.expected_call_time = now, .actual_call_time = now};
}

bool TimerEntity::lies_between(const executor::JobInfo & job) const noexcept {
  // With a tolerance: the grid is restarted some time after rcl's reset, so the next release may appear
  // slightly early.
  return !always() && job.release < called_.load() + task_.period - task_.period / 4;
}

void TimerEntity::was_called(const executor::JobInfo & job) noexcept {
  if (always()) return;
  // One call stands for all points of the grid that have passed.
  const model::Duration late = job.start - job.release;
  const model::Time point = job.release + (late < task_.period ? 0 : late - late % task_.period);
  called_.store(std::max(point, called_.load() + task_.period));
}

bool TimerEntity::heeds_clock(::rclcpp::TimerBase & timer) {
  // System time may have been set, or simulated time may have begun.
  const bool simulated = is_simulated();
  const model::Duration until = timer.time_until_trigger().count();
  if (simulated != simulated_.load()) look_at_clock();
  if (simulated) return until <= task_.period / 2;
  if (until <= task_.period) return true;
  if (timer.is_canceled()) {
    was_canceled(timer);
  } else {
    restart(next_release());
  }
  return false;
}

void TimerEntity::run_job(const executor::JobInfo & job) {
  struct Next {
    TimerEntity & self;
    ~Next() {
      if (!self.always()) return;
      const auto timer = self.timer_.lock();
      if (timer != nullptr && !timer->is_canceled() && self.listening_.load()) self.released();
    }
  } const next{*this};
  const auto timer = timer_.lock();
  if (timer == nullptr) {
    restart(model::never);
    watcher_->look_again();
    return;
  }
  const bool extra = job.index >= model::first_extra_job;
  if (!extra) {
    released_at_.store(-model::never);
    // Releases from before a reset are void.
    if (job.release < valid_from_.load(std::memory_order_relaxed)) return;
    if (clock_ != nullptr && !heeds_clock(*timer)) return;
  }
  if (extra || (!simulated_.load(std::memory_order_relaxed) && lies_between(job))) {
    if (timer->is_canceled()) return was_canceled(*timer);
    return run(timer, std::make_shared<rcl_timer_call_info_t>(call_of(job)));
  }
  const auto data = timer->call();
  if (data == nullptr) return was_canceled(*timer);
  was_called(job);
  // The data that rclcpp's call() returns and its execute_callback() takes.
  if (clock_ == nullptr) *static_cast<rcl_timer_call_info_t *>(data.get()) = call_of(job);
  run(timer, data);
}

executor::Footprint TimerEntity::footprint() const noexcept {
  executor::Footprint footprint = Entity::footprint();
  footprint.add(&timer_);
  footprint.add(&any_reads_);
  const auto timer = timer_.lock();
  if (timer == nullptr) return footprint;
  // The object, its end with the handle and the following function, and rcl's timer and clock.
  footprint.add(timer.get());
  footprint.add(reinterpret_cast<const std::byte *>(timer.get()) + sizeof(*timer) - 32, 64);
  const auto handle = timer->get_timer_handle();
  footprint.add(handle.get());
  footprint.add(handle->impl, 80);
  footprint.add(clock_of(handle.get()));
  return footprint;
}

void TimerEntity::run(const ::rclcpp::TimerBase::SharedPtr & timer,
                      const std::shared_ptr<void> & data) {
  if (any_reads_.load(std::memory_order_relaxed)) {
    const Reads reads = current_reads();
    for (const auto & read : *reads) {
      static_cast<SubscriptionEntity &>(*read.subscription).deliver_present();
    }
  }
  TRACETOOLS_TRACEPOINT(rclcpp_executor_execute, handle_);
  timer->execute_callback(data);
  if (timer->is_canceled()) was_canceled(*timer);
}

}  // namespace takt::rclcpp
