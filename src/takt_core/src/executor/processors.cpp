// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/processors.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "log.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::executor {
namespace {

constexpr std::size_t most_processors = 128;

template <typename Notice>
using Handler = std::function<void(const Notice &, const std::string &)>;

template <typename Notice>
Handler<Notice> one_at_a_time(Handler<Notice> tell, const std::shared_ptr<os::PiMutex> & one) {
  if (!tell) return nullptr;
  return [tell = std::move(tell), one](const Notice & notice, const std::string & task) {
    const os::Lock lock(*one);
    tell(notice, task);
  };
}

/// Each processor has a handler thread of its own; this lock makes them call handlers one at a
/// time.
Handlers one_at_a_time(Handlers handlers, const std::shared_ptr<os::PiMutex> & one) {
  return {one_at_a_time(std::move(handlers.on_miss), one),
          one_at_a_time(std::move(handlers.on_overrun), one),
          one_at_a_time(std::move(handlers.on_exhausted), one)};
}

}  // namespace

/// Passes lines of several processors to the single log function, one at a time. A line that
/// concerns each of them is passed on once.
class Processors::SharedLog {
 public:
  explicit SharedLog(std::function<void(const std::string &)> write)
      : log_(std::move(write), os::LockRank::shared_log_writing) {}

  void write(std::size_t processor, const std::string & line) {
    {
      const os::Lock lock(mutex_);
      const auto said = std::find_if(last_.begin(), last_.end(),
                                     [&line](const Said & each) { return each.line == line; });
      if (said != last_.end() && said->by != processor) return;
      if (said == last_.end()) last_.push_back({processor, line});
      if (last_.size() > kept) last_.pop_front();
    }
    log_.write(line);
  }

 private:
  static constexpr std::size_t kept = 64;
  struct Said {
    std::size_t by;
    std::string line;
  };
  Log log_;
  os::Mutex mutex_{os::LockRank::shared_log};
  std::deque<Said> last_ TAKT_GUARDED_BY(mutex_);
};

/// Synchronises the spinning threads, and holds the result of a spin.
class Processors::Spin {
 public:
  explicit Spin(std::size_t processors) : processors_(processors) {}

  /// Held while spinning, so that one thread at a time spins.
  os::Mutex & spin_mutex() noexcept { return spin_mutex_; }
  /// Held while the policy is replaced; a beginning spin waits for it.
  os::Mutex & policy() noexcept { return policy_; }

  void begin() {
    const os::Lock lock(mutex_);
    ready_ = 0;
    left_ = 0;
    thrown_ = nullptr;
  }
  /// To be called on the thread of each processor that is ready: blocks until all processors are
  /// ready or have ended. The last thread calls `last` before the others continue.
  template <typename Function>
  void meet(const Function & last) {
    os::UniqueLock lock(mutex_);
    ++ready_;
    if (complete()) {
      last();
      all_ready_.notify_all();
    } else {
      all_ready_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return complete(); });
    }
  }
  void leave(std::exception_ptr thrown) {
    const os::Lock lock(mutex_);
    // A processor that was ready and ends is counted twice, which is harmless: by then all have
    // met.
    ++left_;
    if (thrown_ == nullptr) thrown_ = std::move(thrown);
    all_ready_.notify_all();
  }
  std::exception_ptr thrown() const {
    const os::Lock lock(mutex_);
    return thrown_;
  }

  /// The function to be called when all are ready, before the first job.
  void set_begin(const std::function<void()> & begin) { begin_ = begin; }
  void begin_jobs() const {
    if (begin_) begin_();
  }

  std::atomic<bool> grid_set = false;
  /// The instant of the last request for a scenario.
  std::atomic<model::Time> requested = 0;
  /// The number of calls of stop() in progress, which have stopped some of the processors.
  std::atomic<int> stopping = 0;

 private:
  bool complete() const noexcept TAKT_REQUIRES(mutex_) { return ready_ + left_ >= processors_; }

  const std::size_t processors_;
  os::Mutex spin_mutex_{os::LockRank::processors_spin};
  os::Mutex policy_{os::LockRank::processors_policy};
  mutable os::Mutex mutex_{os::LockRank::meeting};
  os::Condition all_ready_;
  std::size_t ready_ TAKT_GUARDED_BY(mutex_) = 0;
  std::size_t left_ TAKT_GUARDED_BY(mutex_) = 0;
  std::exception_ptr thrown_ TAKT_GUARDED_BY(mutex_);
  std::function<void()> begin_;  // set by the thread that calls spin()
};

// ---- making -------------------------------------------------------------------------------------

Processors::Processors(Options options, const std::vector<int> & cpus) {
  std::vector<int> each = cpus;
  if (each.empty()) each = {options.cpu};
  if (each.size() > most_processors) {
    throw std::invalid_argument(std::to_string(each.size()) +
                                " CPUs are more than an executor can "
                                "have: give at most " +
                                std::to_string(most_processors));
  }
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (std::find(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(i), each[i]) !=
        each.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw std::invalid_argument("CPU " + std::to_string(each[i]) +
                                  " is given twice: each processor needs a CPU of its own");
    }
  }
  spin_ = std::make_unique<Spin>(each.size());
  const bool several = each.size() > 1;
  if (several) {
    log_ = std::make_shared<SharedLog>(options.log);
    handling_ = std::make_shared<os::PiMutex>(os::LockRank::handlers);
    options.handlers = one_at_a_time(std::move(options.handlers), handling_);
  }
  for (std::size_t i = 0; i < each.size(); ++i) {
    Options own = options;
    own.cpu = each[i];
    own.membership.ready = [this] { spin_->begin_jobs(); };
    if (several) {
      own.log = [log = log_, i](const std::string & line) { log->write(i, line); };
      own.lock_memory = options.lock_memory && i == 0;
      own.kept_heap = i == 0 ? options.kept_heap : 0;
      own.membership = {.first_task = TaskId{static_cast<std::uint32_t>(i << number_bits)},
                        .plans_middleware = i == 0,
                        .measures_use = true,
                        .ready = [this] {
                          spin_->meet([this] {
                            if (!spin_->grid_set) set_start(os::now());
                            spin_->begin_jobs();
                          });
                        }};
    }
    list_.push_back(std::make_unique<Processor>(std::move(own)));
    cpus_.push_back(list_.back()->grants().cpu);
  }
}

Processors::~Processors() {
  stop();
  const os::Lock ended(spin_->spin_mutex());
}

std::size_t Processors::size() const noexcept {
  return list_.size();
}
Processor & Processors::operator[](std::size_t processor) noexcept {
  return *list_[processor];
}
const Processor & Processors::operator[](std::size_t processor) const noexcept {
  return *list_[processor];
}
const std::vector<int> & Processors::cpus() const noexcept {
  return cpus_;
}

// ---- tasks --------------------------------------------------------------------------------------

GroupId Processors::add_group(std::size_t processor, model::Group group) {
  return list_.at(processor)->add_group(group);
}
void Processors::remove_group(GroupId group) {
  if (of(group) >= list_.size()) {
    throw std::invalid_argument("no group " + std::to_string(to_number(group)));
  }
  list_[of(group)]->remove_group(group);
}
TaskId Processors::add_task(std::size_t processor, model::Task task, JobFunction function,
                            GroupId group) {
  if (group != GroupId::none && of(group) != processor) {
    throw std::invalid_argument("task '" + task.id + "': its group is on processor " +
                                std::to_string(of(group)));
  }
  return list_.at(processor)->add_task(std::move(task), function, group);
}
void Processors::remove_task(TaskId task, std::shared_ptr<void> keep) {
  of_task(task).remove_task(task, std::move(keep));
}
Processor & Processors::of_task(TaskId task) const {
  if (of(task) >= list_.size()) {
    throw std::invalid_argument("no task " + std::to_string(to_number(task)));
  }
  return *list_[of(task)];
}

// ---- running ------------------------------------------------------------------------------------

void Processors::set_policy(const std::string & name, const MakePolicy & make) {
  const os::Lock change(spin_->policy());
  const std::unique_lock lock(spin_->spin_mutex(), std::try_to_lock);
  if (!lock.owns_lock()) throw std::logic_error("the policy cannot be exchanged while spinning");
  for (const auto & processor : list_) processor->set_policy(name, make);
}

void Processors::set_handlers(Handlers handlers) {
  if (handling_ != nullptr) handlers = one_at_a_time(std::move(handlers), handling_);
  for (const auto & processor : list_) processor->set_handlers(handlers);
}

void Processors::set_start(model::Time t0) {
  spin_->grid_set = true;
  for (const auto & processor : list_) processor->set_start(t0);
}

void Processors::spin(const std::function<void()> & begin) {
  std::unique_lock lock(spin_->spin_mutex(), std::defer_lock);
  {
    const os::Lock unchanged(spin_->policy());
    if (!lock.try_lock()) throw std::logic_error("the processors spin already");
  }
  spin_->set_begin(begin);
  if (list_.size() == 1) return list_.front()->spin();
  spin_->begin();
  const auto run = [this](Processor & processor) {
    std::exception_ptr thrown;
    try {
      processor.spin();
    } catch (...) {
      thrown = std::current_exception();
    }
    stop();
    spin_->leave(thrown);
  };
  {
    std::vector<os::Thread> threads;
    try {
      for (std::size_t i = 1; i < list_.size(); ++i) {
        threads.emplace_back(os::ThreadOptions{.name = "takt.spin"},
                             [&run, processor = list_[i].get()] { run(*processor); });
      }
      run(*list_.front());
    } catch (...) {
      // A thread could not be created: release those that wait for its processor.
      stop();
      for (std::size_t i = threads.size() + 1; i <= list_.size(); ++i) spin_->leave(nullptr);
      threads.clear();
      forget_stop();
      throw;
    }
  }
  forget_stop();
  if (const std::exception_ptr thrown = spin_->thrown()) std::rethrow_exception(thrown);
}

void Processors::forget_stop() {
  // A stop() in progress would end the next spin of the processors that it has not reached yet.
  for (int calls = 0; (calls = spin_->stopping.load()) != 0;) spin_->stopping.wait(calls);
  // A stop() is remembered until the next spin, which ends at once; so one spin makes it forgotten.
  for (const auto & processor : list_) {
    processor->stop();
    processor->spin();
  }
}

void Processors::forget_late_stop() {
  const std::unique_lock lock(spin_->spin_mutex(), std::try_to_lock);
  if (lock.owns_lock()) forget_stop();
}

void Processors::stop() noexcept {
  spin_->stopping.fetch_add(1);
  for (const auto & processor : list_) processor->stop();
  spin_->stopping.fetch_sub(1);
  spin_->stopping.notify_all();
}

void Processors::set_quiescent(bool quiescent) noexcept {
  for (const auto & processor : list_) processor->set_quiescent(quiescent);
}

bool Processors::idle() const noexcept {
  return std::all_of(list_.begin(), list_.end(),
                     [](const auto & processor) { return processor->idle(); });
}

bool Processors::spinning() const noexcept {
  return std::all_of(list_.begin(), list_.end(),
                     [](const auto & processor) { return processor->spinning(); });
}

void Processors::set_state(const model::ApplicationState & state) {
  for (const auto & processor : list_) processor->set_state(state);
}

void Processors::request_scenario(model::ScenarioId scenario) noexcept {
  if (list_.size() == 1) return list_.front()->request_scenario(scenario);
  // Distinct instants, so that all processors see the requests in the same order.
  model::Time before = spin_->requested.load();
  model::Time when = 0;
  do {
    when = std::max(os::now(), before + Processor::request_resolution);
  } while (!spin_->requested.compare_exchange_weak(before, when));
  for (const auto & processor : list_) processor->request_scenario(scenario, when);
}

// ---- looking ------------------------------------------------------------------------------------

Grants Processors::grants() const {
  Grants all = list_.front()->grants();
  const auto add_new = [](std::vector<std::string> & lines, const std::vector<std::string> & more) {
    for (const std::string & line : more) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  };
  for (std::size_t i = 1; i < list_.size(); ++i) {
    const Grants own = list_[i]->grants();
    if (own.policy_in_use != all.policy_in_use && own.policy_in_use != own.policy) {
      all.policy_in_use = own.policy_in_use;
    }
    all.realtime = all.realtime && own.realtime;
    all.pinned = all.pinned && own.pinned;
    all.levels = std::max(all.levels, own.levels);
    all.merged_levels = std::max(all.merged_levels, own.merged_levels);
    all.threads.insert(all.threads.end(), own.threads.begin(), own.threads.end());
    add_new(all.refused, own.refused);
    add_new(all.notes, own.notes);
  }
  return all;
}

Statistics Processors::statistics() const {
  Statistics all = list_.front()->statistics();
  const auto most = [](auto & value, auto other) { value = std::max(value, other); };
  static_assert(sizeof(Statistics) == 27 * sizeof(std::uint64_t), "what is new belongs here, too");
  for (std::size_t i = 1; i < list_.size(); ++i) {
    const Statistics own = list_[i]->statistics();
    all.jobs += own.jobs;
    all.decisions += own.decisions;
    all.deferred += own.deferred;
    all.overlong_sections += own.overlong_sections;
    all.entity_waits += own.entity_waits;
    all.blocked_callbacks += own.blocked_callbacks;
    all.unreturned_callbacks += own.unreturned_callbacks;
    all.exceptions += own.exceptions;
    all.unreported += own.unreported;
    all.reranked += own.reranked;
    all.crossings += own.crossings;
    all.loads.overruns += own.loads.overruns;
    all.loads.exhausted += own.loads.exhausted;
    all.loads.lowered += own.loads.lowered;
    all.ages.refreshed += own.ages.refreshed;
    all.ages.extra_releases += own.ages.extra_releases;
    all.ages.stale_skipped += own.ages.stale_skipped;
    all.ages.stale_reported += own.ages.stale_reported;
    most(all.longest_section_ns, own.longest_section_ns);
    most(all.longest_wait_ns, own.longest_wait_ns);
    most(all.longest_lock_wait_ns, own.longest_lock_wait_ns);
    most(all.longest_lock_hold_ns, own.longest_lock_hold_ns);
    most(all.scenario_switches, own.scenario_switches);
    most(all.scenario_requests_overwritten, own.scenario_requests_overwritten);
    most(all.last_switch_ns, own.last_switch_ns);
    most(all.longest_switch_ns, own.longest_switch_ns);
  }
  return all;
}

model::TaskCounters Processors::counters(TaskId task) const {
  return of_task(task).counters(task);
}
TaskStatus Processors::status(TaskId task) const {
  return of_task(task).status(task);
}
double Processors::utilisation(TaskId task) const {
  return of_task(task).utilisation(task);
}

}  // namespace takt::executor
