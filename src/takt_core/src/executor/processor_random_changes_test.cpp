// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Tasks, groups and scenarios are added, changed and removed at random while a processor's threads
// run jobs. The data that jobs of a task or of an exclusive group share is not atomic, so
// ThreadSanitizer detects jobs that are not ordered.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "model/testing/random_seed.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/rights.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;

struct ChangingGroup {
  GroupId id = GroupId::none;
  bool exclusive = false;
  std::atomic<int> inside{0};
  std::uint64_t jobs = 0;  // used if exclusive
};

struct ChangingTask {
  TaskId id = TaskId::none;
  ChangingGroup * group = nullptr;
  Entity * entity = nullptr;
  bool timer = false;
  bool own_grid = false;
  model::Duration steady = 0;  // its period, if nothing ever changes it
  std::chrono::microseconds work{0};
  const ChangingTask * releases = nullptr;  // its jobs release this task, which is not removed
  std::atomic<std::uint64_t> * finished = nullptr;

  std::atomic<int> inside{0};
  bool leaves = false;                 // to be removed later
  std::atomic<bool> gone{false};       // its removal has returned
  std::atomic<bool> destroyed{false};  // its `keep` has been destroyed
  std::uint64_t jobs = 0;
  std::uint64_t index = 0;
  model::Time release = 0;

  static void run(void * context, const JobInfo & job) {
    static_cast<ChangingTask *>(context)->run(job);
  }
  void run(const JobInfo & job) {
    EXPECT_EQ(job.task, id);
    EXPECT_FALSE(gone) << "a job ran although the removal of its task had returned";
    EXPECT_FALSE(destroyed) << "a job ran after the `keep` of its task had been destroyed";
    EXPECT_EQ(inside.fetch_add(1), 0) << "two jobs of a task ran at the same time";
    if (jobs > 0) {
      EXPECT_GT(job.index, index) << "a job ran twice, or jobs ran out of order";
      EXPECT_TRUE(own_grid || job.release >= release);
      if (steady > 0) {
        EXPECT_EQ(job.release - release, static_cast<model::Time>(job.index - index) * steady);
      }
    }
    index = job.index;
    release = job.release;
    ++jobs;
    const bool excludes = group != nullptr && group->exclusive;
    if (excludes) {
      EXPECT_EQ(group->inside.fetch_add(1), 0) << "two jobs of an exclusive group ran at once";
      ++group->jobs;
    }
    if (entity != nullptr) {
      const Processor::Section section(*entity);
      testing::burn(work / 2);
    }
    if (releases != nullptr) Processor::current()->release(releases->id);
    testing::burn(work / 2);
    if (excludes) group->inside.fetch_sub(1);
    inside.fetch_sub(1);
    finished->fetch_add(1);
  }
};

/// The changes that one thread makes to the tasks that it has added, one after another.
class RandomChanger {
 public:
  RandomChanger(Processor & processor, std::uint64_t seed, const std::string & other_policy,
                std::vector<std::unique_ptr<ChangingGroup>> & groups,
                std::vector<std::unique_ptr<ChangingTask>> & events, Entity & entity,
                std::atomic<std::uint64_t> & finished)
      : processor_(processor),
        random_(seed),
        other_policy_(other_policy),
        groups_(groups),
        events_(events),
        entity_(entity),
        finished_(finished) {}

  void run(int changes) {
    for (int i = 0; i < changes; ++i) {
      change();
      release();
      // Waits for some jobs, so that changes are made at the pace of the processor, however fast
      // the machine is.
      const std::uint64_t next = finished_ + random_() % 3;
      while (finished_ < next) std::this_thread::yield();
    }
  }
  const std::list<ChangingTask> & all() const { return all_; }

 private:
  std::uint64_t any(std::uint64_t bound) { return random_() % bound; }
  bool chance(unsigned of) { return any(of) == 0; }
  ChangingTask * any_task() { return live_.empty() ? nullptr : live_[any(live_.size())]; }

  void change() {
    const auto what = any(10);
    if (live_.empty() || (what < 4 && live_.size() < 6)) return add();
    if (what < 6) return remove();
    if (what < 8) return change_task(*any_task());
    if (what < 9) return set_scenarios();
    processor_.request_scenario(static_cast<model::ScenarioId>(any(4)));
  }

  model::Task random_task(const ChangingTask & of) {
    model::Task task;
    task.id = "n/t";
    task.kind = of.timer ? model::TaskKind::timer : model::TaskKind::subscription;
    task.own_grid = of.own_grid;
    task.period = static_cast<model::Duration>(of.timer ? 2 + any(4) : any(2)) * ms;
    task.phase = of.timer && !of.own_grid ? static_cast<model::Duration>(any(2'000'000)) : 0;
    task.deadline = of.timer ? task.period : ms;
    task.priority = static_cast<int>(1 + any(10));
    task.queue = static_cast<std::uint32_t>(any(3));
    return task;
  }

  ChangingTask & make_task(ChangingGroup * group) {
    ChangingTask & task = all_.emplace_back();
    task.group = group;
    task.entity = chance(2) ? &entity_ : nullptr;
    task.timer = chance(2);
    task.own_grid = task.timer && chance(3);
    task.work = std::chrono::microseconds(any(100));
    task.releases = events_[any(events_.size())].get();
    task.finished = &finished_;
    live_.push_back(&task);
    return task;
  }

  void add() {
    const auto add_to = [&](Changes & changes, ChangingTask & task) {
      task.id = changes.add_task(random_task(task), {ChangingTask::run, &task},
                                 task.group != nullptr ? task.group->id : GroupId::none);
    };
    std::vector<ChangingTask *> added;
    if (own_ == nullptr && chance(3)) {
      // Like a node: a group with its callbacks.
      own_ = &own_groups_.emplace_back();
      own_->exclusive = true;
      added = {&make_task(own_), &make_task(own_)};
      processor_.change([&](Changes & changes) {
        own_->id = changes.add_group({.exclusive = true});
        for (ChangingTask * task : added) add_to(changes, *task);
      });
    } else {
      added = {&make_task(chance(4) ? nullptr : groups_[any(groups_.size())].get())};
      processor_.change([&](Changes & changes) { add_to(changes, *added.front()); });
    }
    for (const ChangingTask * task : added) {
      if (task->own_grid) processor_.restart(task->id, os::now() + ms);
    }
  }

  static std::shared_ptr<void> kept_for(ChangingTask & task) {
    return {&task, [](void * context) {
              auto & going = *static_cast<ChangingTask *>(context);
              EXPECT_EQ(going.inside, 0) << "`keep` was destroyed while a job of its task ran";
              going.destroyed = true;
            }};
  }

  void remove() {
    std::vector<ChangingTask *> going = {any_task()};
    ChangingGroup * group = going.front()->group;
    const bool node = group != nullptr && group == own_;
    if (node) {
      going.clear();
      for (ChangingTask * task : live_) {
        if (task->group == group) going.push_back(task);
      }
    }
    std::erase_if(live_, [&](ChangingTask * task) {
      return std::find(going.begin(), going.end(), task) != going.end();
    });
    if (!node && chance(4)) {
      const Processor::NonblockingRemoval nonblocking;
      going.front()->leaves = true;
      processor_.remove_task(going.front()->id, kept_for(*going.front()));
      return;
    }
    Departures departures = processor_.change([&](Changes & changes) {
      for (ChangingTask * task : going) changes.remove_task(task->id, kept_for(*task));
    });
    departures.wait();
    for (ChangingTask * task : going) {
      EXPECT_EQ(task->inside, 0);
      EXPECT_TRUE(task->destroyed);
      task->gone = true;
    }
    if (!node) return;
    processor_.remove_group(group->id);
    own_ = nullptr;
  }

  void change_task(ChangingTask & task) {
    const model::Task next = random_task(task);
    processor_.change(
        [&](Changes & changes) { changes.change_task(task.id, next, {ChangingTask::run, &task}); });
  }

  // Names only this thread's tasks: those of other threads may be removed at any moment.
  void set_scenarios() {
    std::vector<Scenario> scenarios(any(4));
    for (Scenario & scenario : scenarios) {
      if (chance(2)) scenario.policy = other_policy_;
      for (const ChangingTask * task : live_) {
        if (!chance(2)) continue;
        model::Timing & timing = scenario.timings[task->id];
        timing.priority = static_cast<int>(1 + any(10));
        timing.suspended = chance(4);
      }
    }
    processor_.set_scenarios(scenarios, scenarios.empty() || chance(2) ? 0 : 1);
  }

  void release() {
    for (const ChangingTask * task : live_) {
      if (!task->timer && chance(2)) processor_.release(task->id);
      if (task->own_grid && chance(8)) processor_.restart(task->id, os::now() + ms / 2);
    }
  }

  Processor & processor_;
  std::mt19937_64 random_;
  const std::string other_policy_;
  const std::vector<std::unique_ptr<ChangingGroup>> & groups_;
  const std::vector<std::unique_ptr<ChangingTask>> & events_;
  Entity & entity_;
  std::atomic<std::uint64_t> & finished_;
  std::list<ChangingTask> all_;
  std::vector<ChangingTask *> live_;
  std::list<ChangingGroup> own_groups_;
  ChangingGroup * own_ = nullptr;
};

class RandomChangesTest : public testing::ModeTest {
 protected:
  void change_at_random(int changes) const;
};
TAKT_FOR_ALL_MODES(RandomChangesTest);

TEST_P(RandomChangesTest, KeepTheInvariantsOnOneCpu) {
  std::thread([this] {
    os::pin(0, os::allowed_cpus().front());  // and all threads that this thread starts
    change_at_random(200);
  }).join();
}

TEST_P(RandomChangesTest, KeepTheInvariantsWhoeverRunsElsewhere) {
  change_at_random(500);
}

void RandomChangesTest::change_at_random(int changes) const {
  std::mt19937_64 random(model::testing::random_seed());
  std::atomic<std::uint64_t> finished{0};
  std::vector<std::unique_ptr<ChangingGroup>> groups;
  std::vector<std::unique_ptr<ChangingTask>> events;  // one per group
  Entity entity("/shared");
  ChangingTask steady{.timer = true, .steady = ms, .finished = &finished};
  std::list<RandomChanger> changers;
  Rig rig(options(random() % 2 == 0 ? "fp" : "edf"), rights());
  Processor & processor = rig.processor();
  for (int i = 0; i < 3; ++i) {
    groups.push_back(std::make_unique<ChangingGroup>());
    groups.back()->exclusive = i > 0;
    groups.back()->id = processor.add_group({.exclusive = i > 0});
    events.push_back(std::make_unique<ChangingTask>());
    ChangingTask & event = *events.back();
    event.group = groups.back().get();
    event.work = std::chrono::microseconds(50);
    event.finished = &finished;
    event.id = processor.add_task(
        {.id = "n/event", .kind = model::TaskKind::other, .priority = 5 + i, .queue = 2},
        {ChangingTask::run, &event}, event.group->id);
  }
  steady.group = groups.back().get();
  steady.id = processor.add_task(testing::timer("n/steady", steady.steady),
                                 {ChangingTask::run, &steady}, steady.group->id);
  for (int i = 0; i < 2; ++i) {
    changers.emplace_back(processor, random(), preempts() ? "dm" : "np-dm", groups, events, entity,
                          finished);
  }
  rig.start();
  std::vector<std::thread> threads;
  for (RandomChanger & changer : changers) {
    threads.emplace_back([&changer, changes] { changer.run(changes); });
  }
  for (std::thread & thread : threads) thread.join();

  // Now all jobs can finish, as no timer is released any more.
  std::vector<const ChangingTask *> all = {&steady};
  for (const auto & event : events) all.push_back(event.get());
  for (const RandomChanger & changer : changers) {
    for (const ChangingTask & task : changer.all()) all.push_back(&task);
  }
  std::vector<const ChangingTask *> left;
  Scenario quiet;
  for (const ChangingTask * task : all) {
    // A task whose removal was deferred may not be gone yet.
    if (task->gone || task->leaves) continue;
    left.push_back(task);
    if (task->timer) quiet.timings[task->id].suspended = true;
  }
  processor.change([&](Changes & changes) { changes.set_scenarios({quiet}, 1, true); });
  const auto releases = [&] {
    std::uint64_t sum = 0;
    for (const ChangingTask * task : left) sum += processor.counters(task->id).released;
    return sum;
  };
  // The tasks are read one after the other. A job that ends meanwhile may have released one of a
  // task that was read before, so the number of releases must not have changed.
  const auto at_its_end = [&] {
    const std::uint64_t before = releases();
    return std::all_of(left.begin(), left.end(),
                       [&](const ChangingTask * task) {
                         const model::TaskCounters counters = processor.counters(task->id);
                         return counters.released == counters.skipped + counters.finished;
                       }) &&
           releases() == before;
  };
  const os::Time limit = os::now() + 30'000'000'000;
  while (!at_its_end() && os::now() < limit) std::this_thread::yield();
  EXPECT_TRUE(at_its_end()) << "a release was neither skipped nor followed by a finish";
  EXPECT_EQ(rig.stop(), nullptr);

  for (const ChangingTask * task : left) {
    const model::TaskCounters counters = processor.counters(task->id);
    EXPECT_EQ(counters.started, counters.finished);
    EXPECT_EQ(counters.finished, task->jobs) << "the counted jobs are not those that ran";
  }
  std::uint64_t jobs = 0;
  for (const ChangingTask * task : all) jobs += task->jobs;
  EXPECT_EQ(processor.statistics().jobs, jobs);
  EXPECT_EQ(finished, jobs);
}

}  // namespace
}  // namespace takt::executor
