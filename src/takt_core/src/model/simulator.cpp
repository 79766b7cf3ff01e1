// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/simulator.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

namespace takt::model {

namespace {

using Execution = std::function<Duration(TaskId, std::uint64_t)>;

void check(const SimulationOptions & options, Time from) {
  if (options.end <= from)
    throw std::invalid_argument("simulation: the end is not after the start");
  Time last = -never;
  for (const auto & [begin, end] : options.stalls) {
    if (begin < last || end < begin) {
      throw std::invalid_argument("simulation: stalls must be sorted and disjoint");
    }
    last = end;
  }
  const auto earlier = [](const Arrival & a, const Arrival & b) { return a.at < b.at; };
  if (!std::is_sorted(options.arrivals.begin(), options.arrivals.end(), earlier)) {
    throw std::invalid_argument("simulation: arrivals must be sorted by time");
  }
}

class Simulation {
 public:
  Simulation(Scheduler & scheduler, const Execution & execution, const SimulationOptions & options)
      : scheduler_(scheduler), execution_(execution), options_(options), now_(*scheduler.grid()) {
    scheduler_.set_release_observer(
        [](void * self, const ReleaseNotice & notice) {
          static_cast<Simulation *>(self)->note(notice);
        },
        this);
  }
  ~Simulation() { scheduler_.set_release_observer(nullptr, nullptr); }
  Simulation(const Simulation &) = delete;
  Simulation & operator=(const Simulation &) = delete;

  SimulationResult run() {
    while (sit_out_stall(), now_ < options_.end) {
      feed(now_);
      decide();
      go_on();
    }
    feed(options_.end - 1);  // releases delayed by a stall up to the end
    for (auto & [key, job] : jobs_) result_.jobs.push_back(job);
    std::sort(result_.jobs.begin(), result_.jobs.end(),
              [](const SimulatedJob & a, const SimulatedJob & b) {
                return std::tie(a.job.release, a.job.task, a.job.index) <
                       std::tie(b.job.release, b.job.task, b.job.index);
              });
    return std::move(result_);
  }

 private:
  struct Started {
    Level level;
    SimulatedJob * job;
    Duration length;
    Duration left;
    Duration used() const noexcept { return length - left; }
  };

  SimulatedJob & record(const Job & job) {
    SimulatedJob & simulated = jobs_[{job.task, job.index}];
    simulated.job = job;
    return simulated;
  }

  void note(const ReleaseNotice & notice) {
    Job job = notice.job;
    for (std::uint64_t i = 0; i < notice.count; ++i) {
      record(job).skipped = notice.what == Release::skipped;
      ++job.index;
      job.release += notice.apart;
      if (job.deadline != never) job.deadline += notice.apart;
    }
  }

  void sit_out_stall() {
    for (; stall_ < options_.stalls.size() && options_.stalls[stall_].first <= now_; ++stall_) {
      now_ = std::max(now_, options_.stalls[stall_].second);
    }
  }

  /// Makes the releases up to `limit`.
  void feed(Time limit) {
    const auto & arrivals = options_.arrivals;
    for (; arrival_ < arrivals.size() && arrivals[arrival_].at <= limit; ++arrival_) {
      scheduler_.release(arrivals[arrival_].task, arrivals[arrival_].at, limit);
    }
    scheduler_.advance(limit);
    if (scheduler_.to_charge() != nullptr) charge(limit);
    const auto & switches = options_.switches;
    for (; switch_ < switches.size() && switches[switch_].at <= limit; ++switch_) {
      scheduler_.set_scenario(switches[switch_].scenario, limit);
    }
    for (Miss miss; scheduler_.next_miss(miss);) result_.misses.push_back(miss);
    for (Exhaustion each; scheduler_.next_exhaustion(each);) result_.exhaustions.push_back(each);
  }

  void charge(Time now) {
    const Started running = started_.back();
    if (scheduler_.charge(running.used(), now).kind != Decision::Kind::lower) return;
    started_.pop_back();
    running.job->lowered = now;
    background_.push_back(running);
  }

  void decide() {
    for (;;) {
      const Decision decision = scheduler_.decide(now_);
      if (decision.kind == Decision::Kind::raise) {
        raise(decision.worker);
        continue;
      }
      if (decision.kind != Decision::Kind::start) return;
      const Job & job = *decision.job;
      const Duration length = execution_(job.task, job.index);
      if (length < 0) {
        throw std::invalid_argument("simulation: negative execution time of task " +
                                    std::to_string(job.task));
      }
      if (!started_.empty()) ++started_.back().job->preemptions;
      SimulatedJob & simulated = record(job);
      simulated.start = now_;
      started_.push_back({job.level, &simulated, length, length});
    }
  }

  void raise(Level worker) {
    const auto raised =
        std::find_if(started_.begin(), started_.end(),
                     [worker](const Started & started) { return started.level == worker; });
    if (raised + 1 != started_.end()) ++started_.back().job->preemptions;
    std::rotate(raised, raised + 1, started_.end());
  }

  /// Advances time to the next event.
  void go_on() {
    Time next = std::min(options_.end, scheduler_.next_event());
    if (switch_ < options_.switches.size()) next = std::min(next, options_.switches[switch_].at);
    if (arrival_ < options_.arrivals.size()) next = std::min(next, options_.arrivals[arrival_].at);
    if (stall_ < options_.stalls.size()) next = std::min(next, options_.stalls[stall_].first);
    if (started_.empty() && background_.empty()) {
      now_ = next;
      return;
    }
    const bool in_background = started_.empty();
    Started & top = in_background ? background_.front() : started_.back();
    const Time from = now_;
    now_ += std::min(top.left, next - now_);
    top.left -= now_ - from;
    if (options_.keep_slices) keep_slice(top.job->job, from);
    if (top.left > 0) return;
    top.job->finish = now_;
    for (const ChannelId channel : scheduler_.task(top.job->job.task).data.outputs) {
      scheduler_.published(channel, now_);
    }
    if (in_background) {
      scheduler_.finish_lowered(top.job->job.task, now_);
      background_.pop_front();
    } else {
      scheduler_.finish(top.level, now_, top.used());
      started_.pop_back();
    }
  }

  void keep_slice(const Job & job, Time from) {
    if (now_ == from) return;
    auto & slices = result_.slices;
    if (!slices.empty() && slices.back().task == job.task && slices.back().index == job.index &&
        slices.back().to == from) {
      slices.back().to = now_;
    } else {
      slices.push_back({job.task, job.index, from, now_});
    }
  }

  Scheduler & scheduler_;
  const Execution & execution_;
  const SimulationOptions & options_;
  Time now_;
  std::size_t stall_ = 0;    ///< index of the next stall
  std::size_t arrival_ = 0;  ///< index of the next arrival
  std::size_t switch_ = 0;   ///< index of the next switch
  std::vector<Started> started_;
  std::deque<Started> background_;
  std::map<std::pair<TaskId, std::uint64_t>, SimulatedJob> jobs_;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(LocalScheduler & scheduler, const Execution & execution,
                          const SimulationOptions & options) {
  if (!scheduler.grid()) {
    scheduler.start_grid(0);
    scheduler.commit();
  }
  check(options, *scheduler.grid());
  return Simulation(scheduler, execution, options).run();
}

}  // namespace takt::model
