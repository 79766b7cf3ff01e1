// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "waitable_entity.hpp"

#include <rmw/rmw.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "takt_core/tasks/middlewares.hpp"

namespace takt::rclcpp {
namespace {

bool forgets_events() {
  return tasks::forgets_events(rmw_get_implementation_identifier());
}

}  // namespace

WaitableEntity::WaitableEntity(std::shared_ptr<NodeView> node,
                               const ::rclcpp::Waitable::SharedPtr & waitable,
                               CallbackGroup::SharedPtr group, const TaskOptions & options,
                               std::shared_ptr<EntityWatcher> watcher)
    : Entity(std::move(node), make_queued_task("waitable", model::TaskKind::other, options),
             std::move(group), options, std::move(watcher)),
      waitable_(waitable),
      status_(status_of(*waitable)) {}

void WaitableEntity::arrived(std::size_t count, int part) {
  // If the middleware does not report the number (0), each job finds out whether there are more.
  std::size_t some = std::max<std::size_t>(count, 1);
  if (is_event()) {
    if (!announcements_.announce(some)) return;
    some = 1;
  }
  {
    const os::Lock lock(mutex_);
    add({part, some});
  }
  release(some);
}

void WaitableEntity::add(const Part & part) {
  const auto known = std::find_if(parts_.begin(), parts_.end(),
                                  [&part](const Part & each) { return each.id == part.id; });
  if (known != parts_.end()) {
    known->came += part.came;
  } else {
    parts_.push_back(part);
  }
}

std::optional<int> WaitableEntity::next_part() noexcept {
  const os::Lock lock(mutex_);
  for (std::size_t i = 1; i <= parts_.size(); ++i) {
    const std::size_t place = (last_ + i) % parts_.size();
    if (parts_[place].came == 0) continue;
    --parts_[place].came;
    last_ = place;
    return parts_[place].id;
  }
  return std::nullopt;
}

std::size_t WaitableEntity::jobs() const noexcept {
  const os::Lock lock(mutex_);
  std::size_t sum = (look_.load() ? 1 : 0) + held_.size();
  for (const Part & part : parts_) sum += part.came;
  return sum;
}

bool WaitableEntity::claim_job() noexcept {
  const std::size_t jobs = this->jobs();
  return jobs > 0 && jobs >= task_.queue;
}

void WaitableEntity::hold_event(::rclcpp::Waitable & waitable) {
  if (!watcher_->item_poll.has_item(waitable)) return;
  auto taken = waitable.take_data();
  if (taken != nullptr) announcements_.begin(status_.announced_total(taken.get()));
  {
    const os::Lock lock(mutex_);
    held_.push_back(std::move(taken));
  }
  release(1);
}

std::shared_ptr<void> WaitableEntity::release_held() noexcept {
  const os::Lock lock(mutex_);
  if (held_.empty()) return nullptr;
  auto first = std::move(held_.front());
  held_.erase(held_.begin());
  return first;
}

void WaitableEntity::look() {
  const auto waitable = this->waitable();
  if (waitable == nullptr || !listens() || waitable->get_number_of_ready_events() > 0) return;
  if (!watcher_->item_poll.has_item(*waitable)) return;
  look_.store(true);
  release(1);
}

void WaitableEntity::continue_from(const Entity & old) {
  const auto & from = static_cast<const WaitableEntity &>(old);
  std::vector<Part> parts;
  std::vector<std::shared_ptr<void>> held;
  {
    const os::Lock lock(from.mutex_);
    parts = from.parts_;
    held = from.held_;
  }
  announcements_.continue_from(from.announcements_);
  const os::Lock lock(mutex_);
  held_.insert(held_.begin(), held.begin(), held.end());
  for (const Part & part : parts) add(part);
  if (from.look_.load()) look_.store(true);
  if (from.state_.load() == State::found) was_ready();
}

void WaitableEntity::was_ready() noexcept {
  state_.store(State::found);
  released();
}

void WaitableEntity::begin_to_wait() noexcept {
  listens_.store(false);
  State idle = State::idle;
  state_.compare_exchange_strong(idle, State::waits);
}

void WaitableEntity::run_job(const executor::JobInfo &) {
  const auto waitable = this->waitable();
  if (waitable == nullptr) return watcher_->look_again();
  if (listens()) {
    if (const auto held = release_held()) return execute_if_new(*waitable, held);
    const std::optional<int> part = next_part();
    if (part && is_event()) {
      if (const auto taken = take_event(*waitable, *part)) execute_if_new(*waitable, taken);
    } else if (part) {
      execute_if_new(*waitable, waitable->take_data_by_entity_id(static_cast<std::size_t>(*part)));
    } else if (look_.exchange(false)) {
      const auto data = waitable->take_data();
      look();
      // nullptr if another executor has taken it in the meantime.
      if (data != nullptr) execute_if_new(*waitable, data);
    }
    return;
  }
  if (state_.load() != State::found) return;
  struct Again {
    WaitableEntity & self;
    ~Again() {
      self.state_.store(State::waits);
      self.watcher_->wait_again();
    }
  } const again{*this};
  execute_if_new(*waitable, waitable->take_data());
}

void WaitableEntity::execute_if_new(::rclcpp::Waitable & waitable,
                                    const std::shared_ptr<void> & taken) const {
  if (!is_event() || taken == nullptr || status_.is_new(taken.get())) waitable.execute(taken);
}

std::shared_ptr<void> WaitableEntity::take_event(::rclcpp::Waitable & waitable, int part) {
  auto taken = announcements_.take(
      [&] { return waitable.take_data_by_entity_id(static_cast<std::size_t>(part)); },
      [this](const auto & status) { return status_.announced_total(status.get()); });
  if (announcements_.news()) {  // an event announced in the meantime gets a job of its own
    {
      const os::Lock lock(mutex_);
      add({part, 1});
    }
    release(1);
  }
  return taken;
}

void WaitableEntity::stop_listening() noexcept {
  State waits = State::waits;
  state_.compare_exchange_strong(waits, State::idle);
  const auto waitable = this->waitable();
  if (waitable == nullptr || !listens()) return;
  try {
    waitable->clear_on_ready_callback();
  } catch (const std::exception &) {
    return;  // a user-defined waitable that cannot clear its notification function
  }
}

void WaitableEntity::start_listening() {
  const auto waitable = this->waitable();
  if (waitable == nullptr) return;
  if (waitable->get_number_of_ready_timers() > 0) {
    // Timers in waitables are not announced, such as that of an action server for the expiry of results.
    begin_to_wait();
    return;
  }
  const auto weak = std::weak_ptr(std::static_pointer_cast<WaitableEntity>(shared_from_this()));
  const auto arrived = [weak](std::size_t count, int part) {
    if (const auto self = weak.lock()) self->arrived(count, part);
  };
  try {
    if (forgets_events() && waitable->get_number_of_ready_events() > 0) hold_event(*waitable);
    waitable->set_on_ready_callback(arrived);
    listens_.store(true);
  } catch (const std::exception &) {
    // A user-defined waitable that does not support notifications.
    begin_to_wait();
  }
}

}  // namespace takt::rclcpp
