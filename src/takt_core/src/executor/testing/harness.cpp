// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::executor::testing {

void drop_realtime_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  rlimit limit{};
  bool ok = syscall(SYS_capget, &header, data) == 0;
  data[CAP_TO_INDEX(CAP_SYS_NICE)].effective &= ~CAP_TO_MASK(CAP_SYS_NICE);
  ok = ok && syscall(SYS_capset, &header, data) == 0;
  ok = ok && getrlimit(RLIMIT_RTPRIO, &limit) == 0;
  limit.rlim_cur = 0;
  ok = ok && setrlimit(RLIMIT_RTPRIO, &limit) == 0;
  if (!ok) throw std::runtime_error("cannot drop the right to real-time priorities");
}

bool realtime_available() {
  const os::Thread probe({.name = "test.probe", .priority = PriorityPlan{}.timer}, [] {});
  return probe.priority().ok();
}

void Journal::note(std::string what) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(what));
  noted_.notify_all();
}

std::vector<std::string> Journal::read() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

bool Journal::wait_for(const std::string & part) const {
  std::unique_lock lock(mutex_);
  return noted_.wait_for(lock, patience, [&] {
    return std::any_of(lines_.begin(), lines_.end(), [&](const std::string & line) {
      return line.find(part) != std::string::npos;
    });
  });
}

bool busy_until(const std::atomic<bool> & flag) {
  return busy_until([&flag] { return flag.load(std::memory_order_acquire); });
}

bool busy_until(const std::function<bool()> & condition) {
  // Bounded, since it may run at a real-time priority.
  const os::Time end = os::now() + 5'000'000'000;
  while (!condition()) {
    if (os::now() > end) return false;
  }
  return true;
}

void burn(std::chrono::nanoseconds cpu) {
  const os::Time end = os::thread_cpu() + cpu.count();
  while (os::thread_cpu() < end) {
  }
}

namespace {

Options with_log(Options options, const std::shared_ptr<Journal> & log) {
  options.lock_memory = false;
  options.log = [log](const std::string & line) { log->note(line); };
  return options;
}

}  // namespace

std::vector<int> two_cpus() {
  const std::vector<int> cpus = os::allowed_cpus();
  const int first = cpus.front();
  return {first, cpus.size() > 1 ? cpus[1] : first + 1};
}

Rig::Rig(Options options, bool rights, const std::vector<int> & cpus)
    : rights_(rights), processors_(with_log(std::move(options), log_), cpus) {}

Rig::~Rig() {
  stop();
}

TaskId Rig::add(const model::Task & task, Body body, std::size_t processor, GroupId group) {
  Body * kept = nullptr;
  {
    const std::lock_guard lock(mutex_);
    kept = &bodies_.emplace_back(std::move(body));
  }
  return processors_.add_task(
      processor, task,
      {[](void * context, const JobInfo & job) { (*static_cast<Body *>(context))(job); }, kept},
      group);
}

TaskId Rig::add_event(const std::string & id, int priority, Body body, GroupId group) {
  model::Task task;
  task.id = id;
  task.kind = model::TaskKind::other;
  task.priority = priority;
  return add(task, std::move(body), 0, group);
}

Watched<int> & Rig::add_ticks() {
  add({.id = "n/a", .period = ms, .deadline = ms}, [this](const JobInfo &) { ticks_.add(1); });
  return ticks_;
}

void Rig::start() {
  join();
  thread_ = std::thread([this] {
    if (!rights_) drop_realtime_rights();
    try {
      processors_.spin();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  });
}

std::exception_ptr Rig::stop() {
  if (thread_.joinable()) processors_.stop();
  return join();
}

std::exception_ptr Rig::join() {
  if (thread_.joinable()) thread_.join();
  return std::exchange(thrown_, nullptr);
}

}  // namespace takt::executor::testing
