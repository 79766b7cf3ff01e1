// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What the trace contains of a real processor, in every mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "../trace/testing/trace_file.hpp"
#include "os/testing/effective_priority.hpp"
#include "takt_core/model/local_scheduler.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/modes.hpp"

namespace takt::executor::testing {
namespace {

using trace::Event;
using trace::Kind;
using trace::testing::TraceFile;

class ProcessorTraceTest : public ModeTest {
 protected:
  Options traced(const std::string & policy) {
    Options made = options(policy);
    recorder_ = std::make_shared<trace::Recorder>(trace::Options{.file = file_.path()});
    made.trace = recorder_;
    return made;
  }
  std::vector<Event> events() {
    recorder_->close();
    EXPECT_EQ(recorder_->dropped(), 0U);
    return file_.events();
  }
  static std::vector<Event> of(const std::vector<Event> & all, Kind kind, TaskId task) {
    std::vector<Event> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const Event & e) { return e.kind == kind && e.task == to_number(task); });
    return found;
  }

  TraceFile file_;
  std::shared_ptr<trace::Recorder> recorder_;
};

TEST_P(ProcessorTraceTest, EveryJobIsReleasedChosenStartedAndFinishedAsItSawItself) {
  Rig rig(traced("fp"), rights());
  Watched<int> jobs;
  std::map<std::uint64_t, JobInfo> seen;
  const TaskId task =
      rig.add({.id = "n/t", .period = ms, .deadline = ms, .priority = 5}, [&](const JobInfo & job) {
        seen[job.index] = job;
        jobs.add(1);
      });
  rig.start();
  EXPECT_TRUE(jobs.wait_for_at_least(20));
  EXPECT_EQ(rig.stop(), nullptr);
  const std::vector<Event> all = events();
  std::map<std::uint64_t, Event> chosen;
  for (const Event & event : of(all, Kind::choice, task)) chosen[event.index] = event;
  const auto released = of(all, Kind::release, task);
  const auto started = of(all, Kind::start, task);
  const auto finished = of(all, Kind::finish, task);
  EXPECT_GE(released.size(), seen.size());
  ASSERT_EQ(started.size(), seen.size());
  ASSERT_EQ(finished.size(), seen.size());
  for (std::size_t i = 0; i < started.size(); ++i) {
    const JobInfo & job = seen.at(started[i].index);
    EXPECT_EQ(started[i].at, job.start);
    EXPECT_EQ(started[i].value, job.deadline);
    EXPECT_EQ(finished[i].index, job.index);
    EXPECT_GE(finished[i].at, job.start);
    EXPECT_EQ((finished[i].flags & trace::flags::late) != 0, finished[i].at > job.deadline);
    ASSERT_EQ(chosen.count(job.index), 1U);
    EXPECT_LE(chosen[job.index].at, job.start);
  }
  for (const Event & event : released) {
    EXPECT_GE(event.at, event.value);
    if (seen.count(event.index) == 0) continue;
    EXPECT_EQ(event.value, seen[event.index].release);
  }
}

TEST_P(ProcessorTraceTest, WhoGoesAboveWhomIsTold) {
  Rig rig(traced("fp"), rights());
  std::atomic<bool> above_ran{false};
  TaskId above = TaskId::none;
  const TaskId below = rig.add_event("n/below", 1, [&](const JobInfo &) {
    rig.processor().release(above);
    EXPECT_TRUE(!preempts() || busy_until(above_ran));
  });
  Watched<int> done;
  above = rig.add_event("n/above", 9, [&](const JobInfo &) {
    above_ran = true;
    done.add(1);
  });
  rig.start();
  rig.processor().release(below);
  EXPECT_TRUE(done.wait_for(1));
  EXPECT_EQ(rig.stop(), nullptr);
  const std::vector<Event> choices = of(events(), Kind::choice, above);
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].value, preempts() ? std::int64_t{to_number(below)} : -1);
}

TEST_P(ProcessorTraceTest, MissesAndShedsAreTold) {
  Rig rig(traced("fp"), rights());
  Watched<int> jobs;
  // The index of the long job, which varies, as any job may be skipped. Written by one worker, and
  // read after its end.
  std::uint64_t long_one = 0;
  const TaskId task = rig.add({.id = "n/late", .period = ms, .deadline = ms, .priority = 5},
                              [&](const JobInfo & job) {
                                if (long_one == 0 && job.index >= 3) {
                                  long_one = job.index;
                                  while (os::now() < job.deadline + 3 * ms) {
                                  }
                                }
                                jobs.add(1);
                              });
  rig.start();
  EXPECT_TRUE(jobs.wait_for_at_least(6));
  EXPECT_EQ(rig.stop(), nullptr);
  const std::vector<Event> all = events();
  const auto misses = of(all, Kind::miss, task);
  const auto is_it = [&](const Event & event) { return event.index == long_one; };
  const auto miss = std::find_if(misses.begin(), misses.end(), is_it);
  if (preempts() || !misses.empty()) {
    ASSERT_NE(miss, misses.end());
    EXPECT_GE(miss->at, miss->value);
  }
  EXPECT_GE(of(all, Kind::skip, task).size(), 2U);
  const auto finished = of(all, Kind::finish, task);
  const auto late = std::find_if(finished.begin(), finished.end(), is_it);
  EXPECT_TRUE(late == finished.end() || (late->flags & trace::flags::late) != 0);
}

TEST_P(ProcessorTraceTest, SectionsScenariosAndTheSpinItselfAreTold) {
  Rig rig(traced("fp"), rights());
  Watched<int> jobs;
  const auto callback = [&](const JobInfo &) {
    ASSERT_NE(Processor::trace(), nullptr);
    { const Processor::Section section; }
    jobs.add(1);
  };
  const TaskId task = rig.add_event("n/t", 3, callback);
  // Two tasks, as the job that has reported its start need not have finished.
  const TaskId other = rig.add_event("n/u", 4, callback);
  EXPECT_EQ(Processor::trace(), nullptr);
  rig.processor().set_scenarios({{.timings = {{task, {.priority = 7}}}}});
  rig.start();
  rig.processor().release(task);
  EXPECT_TRUE(jobs.wait_for(1));
  rig.processor().request_scenario(1);
  rig.processor().release(other);
  EXPECT_TRUE(jobs.wait_for(2));
  EXPECT_EQ(rig.stop(), nullptr);
  const std::vector<Event> all = events();
  const auto count = [&](Kind kind) {
    return std::count_if(all.begin(), all.end(), [&](const Event & e) { return e.kind == kind; });
  };
  EXPECT_EQ(count(Kind::section), 2);
  EXPECT_EQ(count(Kind::spin), 2);
  const auto scenario = std::find_if(all.begin(), all.end(),
                                     [](const Event & e) { return e.kind == Kind::scenario; });
  ASSERT_EQ(count(Kind::scenario), 1);
  EXPECT_EQ(scenario->index, 1U);
  EXPECT_LE(scenario->value, scenario->at);
}

TEST_P(ProcessorTraceTest, WhoWaitedForAnEntityIsToldWithItsNameAndWhoseJobUsedIt) {
  Rig rig(traced("fp"), rights());
  const std::string name = "/a/topic/of/more/than/one/record";
  Entity entity(name);
  std::atomic<bool> wants{false};
  std::atomic<int> urgent{0};
  Watched<int> done;
  const TaskId waits = rig.add_event("n/waits", 20, [&](const JobInfo &) {
    urgent = os::testing::effective_priority();
    wants = true;
    { const Processor::Section section(entity); }
    done.add(1);
  });
  // The job waits for a thread that runs no job; repeated, as it may not reach the entity in time.
  int rounds = 0;
  rig.start();
  while (rig.processor().statistics().entity_waits == 0) {
    {
      const Processor::Section section(entity);
      rig.processor().release(waits);
      EXPECT_TRUE(busy_until(wants));
      burn(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(done.wait_for(++rounds));
    wants = false;
  }
  // The job waits for another job: it preempts one that uses the entity.
  TaskId uses = TaskId::none;
  if (preempts()) {
    uses = rig.add_event("n/uses", 10, [&](const JobInfo &) {
      const Processor::Section section(entity);
      rig.processor().release(waits);
      EXPECT_TRUE(busy_until(wants)) << "the more urgent job starts within max_section";
      EXPECT_TRUE(busy_until([&] { return os::testing::effective_priority() == urgent; }));
    });
    rig.processor().release(uses);
    ASSERT_TRUE(done.wait_for(rounds + 1));
    EXPECT_EQ(rig.processor().statistics().entity_waits, 2U);
  }
  EXPECT_EQ(rig.stop(), nullptr);
  const std::vector<Event> all = events();
  std::vector<Event> told;
  std::vector<std::string> names;
  std::map<std::uint8_t, bool> follows;  // indexed by ring
  for (const Event & event : all) {
    if (event.kind == Kind::wait) {
      told.push_back(event);
      names.emplace_back();
    } else if (event.kind == Kind::name) {
      ASSERT_TRUE(follows[event.ring]);
      ASSERT_LE(event.task, trace::name_bytes);
      EXPECT_EQ(event.at, told.back().at);
      names.back().append(reinterpret_cast<const char *>(&event.index), event.task);
    }
    follows[event.ring] = event.kind == Kind::wait || event.kind == Kind::name;
  }
  ASSERT_EQ(told.size(), preempts() ? 2U : 1U);
  EXPECT_EQ(told.front().task, trace::no_task);
  for (const Event & event : told) EXPECT_LT(event.value, event.at);
  for (const std::string & each : names) EXPECT_EQ(each, name);
  if (!preempts()) return;
  EXPECT_EQ(told.back().task, to_number(uses));
  const std::vector<Event> expired = of(all, Kind::expiry, uses);
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_EQ(expired[0].value, to_number(waits));
}

// Feeds the inputs in the trace into a scheduler, which must decide as the trace says.
TEST_P(ProcessorTraceTest, TheModelGivenTheSameInputsMakesTheSameDecisions) {
  Rig rig(traced("fp"), rights());
  const model::Time t0 = os::now() + 5 * ms;
  const auto task = [](const char * id, model::Duration period, int priority) {
    return model::Task{
        .id = id, .period = period, .deadline = period, .priority = priority, .queue = 1};
  };
  const std::vector<model::Task> tasks = {task("n/low", 4 * ms, 1), task("n/mid", 2 * ms, 5),
                                          task("n/high", ms, 9)};
  Watched<int> rounds;
  const std::vector<std::chrono::microseconds> work = {std::chrono::microseconds(900),
                                                       std::chrono::microseconds(300),
                                                       std::chrono::microseconds(100)};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    rig.add(tasks[i], [&, i](const JobInfo &) {
      burn(work[i]);
      if (i == 0) rounds.add(1);
    });
  }
  rig.processors().set_start(t0);
  rig.start();
  EXPECT_TRUE(rounds.wait_for_at_least(20));
  EXPECT_EQ(rig.stop(), nullptr);

  std::vector<Event> all = events();
  std::erase_if(all, [](const Event & e) {
    return e.kind != Kind::release && e.kind != Kind::skip && e.kind != Kind::finish &&
           e.kind != Kind::choice && e.kind != Kind::spin;
  });
  model::LocalScheduler scheduler(model::make_policy(preempts() ? "fp" : "np-fp"));
  for (const model::Task & each : tasks) scheduler.add_task(each);
  scheduler.start_grid(t0);
  scheduler.commit();
  using Choice = std::tuple<model::Time, std::uint32_t, std::uint64_t>;
  std::vector<Choice> traced;
  std::vector<Choice> decided;
  bool spins = false;  // nothing starts before, nor before the first worker exists
  for (std::size_t i = 0; i < all.size();) {
    const model::Time at = all[i].at;
    bool finished = false;
    for (; i < all.size() && all[i].at == at; ++i) {
      if (all[i].kind == Kind::finish) {
        scheduler.finish(all[i].level, at);
        finished = true;
      } else if (all[i].kind == Kind::choice) {
        traced.emplace_back(at, all[i].task, all[i].index);
      } else if (all[i].kind == Kind::spin) {
        spins = all[i].flags == 1;
      }
    }
    if (!finished || !preempts()) scheduler.advance(at);
    if (!spins || traced.empty()) continue;
    const model::Decision decision = scheduler.decide(at);
    if (decision.kind != model::Decision::Kind::start) continue;
    decided.emplace_back(at, decision.job->task, decision.job->index);
  }
  // A job that could start when the processor is stopped does not.
  ASSERT_GE(decided.size(), traced.size());
  EXPECT_LE(decided.size(), traced.size() + 1);
  decided.resize(traced.size());
  EXPECT_GT(traced.size(), 40U);  // of about 140, those that are not skipped
  EXPECT_EQ(decided, traced);
}

TEST_P(ProcessorTraceTest, TheNamesOfTasksAreInTheFile) {
  {
    Rig rig(traced("fp"), rights());
    rig.add({.id = "planner/plan", .period = ms, .deadline = 2 * ms, .priority = 7, .queue = 1},
            [](const JobInfo &) {});
    Watched<int> & ticks = rig.add_ticks();
    rig.start();
    EXPECT_TRUE(ticks.wait_for_at_least(1));
    EXPECT_EQ(rig.stop(), nullptr);
  }
  recorder_->close();
  const std::vector<std::string> lines = file_.lines();
  const auto with = [&](const std::string & part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const auto & line) { return line.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(with(
      R"("name": "planner/plan", "kind": "timer", "period": 1000000, "priority": 7, "deadline": 2000000)"));
  EXPECT_TRUE(with(R"("define": "processor")"));
  EXPECT_TRUE(with(R"("max_section": 200000)"));
  EXPECT_TRUE(with(R"("thread": "takt.w1")"));
}

TEST_P(ProcessorTraceTest, ATaskThatChangesIsToldWithTheGroupThatItKeeps) {
  {
    Processors processors(traced("fp"), two_cpus());
    const GroupId group = processors.add_group(1, {});
    model::Task task{.id = "n/t", .period = ms, .deadline = ms, .priority = 5};
    const TaskId id = processors.add_task(1, task, {}, group);
    EXPECT_EQ(to_number(id), 1U << 24U);
    task.priority = 7;
    processors[1].change([&](Changes & changes) { changes.change_task(id, task, {}); });
  }
  recorder_->close();
  std::vector<std::string> told;
  for (const std::string & line : file_.lines()) {
    if (line.find(R"("name": "n/t")") != std::string::npos) told.push_back(line);
  }
  ASSERT_EQ(told.size(), 2U);
  for (const std::string & line : told) {
    EXPECT_NE(line.find(R"("task": 16777216)"), std::string::npos) << line;
    EXPECT_NE(line.find(R"("group": 0)"), std::string::npos)
        << line << ": not the group's number in the processor's model";
  }
  EXPECT_NE(told[1].find(R"("priority": 7)"), std::string::npos);
}

TAKT_FOR_ALL_MODES(ProcessorTraceTest);

}  // namespace
}  // namespace takt::executor::testing
