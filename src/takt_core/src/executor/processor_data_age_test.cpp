// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;
using testing::busy_until;
using testing::Journal;
using testing::ms;
using testing::Rig;
using testing::Watched;

constexpr model::Duration hour = 3'600'000 * ms;

/// A channel with its producer's and its reader's data flow.
class Channel {
 public:
  model::DataFlow read(model::Duration max_age,
                       model::OnStale on_stale = model::OnStale::report) const {
    return {.inputs = {{.max_age = max_age, .on_stale = on_stale, .newest = newest_}}};
  }
  static model::DataFlow publish_to(bool extra_releases = false) {
    return {.outputs = {0}, .extra_releases = extra_releases};
  }
  void publish() { newest_->published(os::now()); }
  void publish_as_of(model::Time at) { newest_->published(at); }

 private:
  std::shared_ptr<model::Newest> newest_ = std::make_shared<model::Newest>();
};

class ProcessorDataAgeTest : public testing::ModeTest {
 protected:
  static model::Task event(const char * id, int priority, model::DataFlow data = {}) {
    model::Task task;
    task.id = id;
    task.kind = model::TaskKind::other;
    task.priority = priority;
    task.queue = 3;  // so that the test may release it again before its job has finished
    task.data = std::move(data);
    return task;
  }
};
TAKT_FOR_ALL_MODES(ProcessorDataAgeTest);

// A job may get the CPU long after it was chosen, if the host stalls or a thread of the middleware
// runs. Here the data becomes too old in the microseconds after the release.
TEST_P(ProcessorDataAgeTest, DataThatGetsTooOldBetweenChoiceAndStartIsTold) {
  Options exact = options("fp");
  exact.age_margin = 0;
  Rig rig(exact, rights());
  Channel channel;
  constexpr model::Duration max_age = ms;
  constexpr std::uint64_t count = 300;
  std::uint64_t stale = 0;
  Watched<bool> done;
  const auto due = [&](model::Time release, std::uint64_t index) {
    channel.publish_as_of(release - max_age + static_cast<model::Duration>(index) * 500);
  };
  model::Task reader{.id = "n/reader", .period = 2 * ms, .deadline = 2 * ms};
  reader.data = channel.read(max_age);
  const auto id = rig.add(reader, [&](const JobInfo & job) {
    EXPECT_EQ(job.stale, job.data_age() > max_age) << job.data_age();
    stale += job.stale ? 1 : 0;
    due(job.release + 2 * ms, job.index);
    if (job.index >= count) done.set(true);
  });
  rig.start();
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_GT(stale, 0U);
  EXPECT_EQ(rig.processor().counters(id).stale_reported, stale);
  EXPECT_EQ(rig.processor().statistics().ages.stale_reported, stale);
}

TEST_P(ProcessorDataAgeTest, APendingProducerGoesBeforeItsReader) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<bool> done;
  JobInfo seen;
  const auto producer =
      rig.add(event("n/producer", 10, Channel::publish_to()), [&](const JobInfo & job) {
        EXPECT_EQ(job.data_age(), -1) << "the producer reads no input";
        channel.publish();
        journal.note("producer");
      });
  const auto middle = rig.add_event("n/middle", 20, [&](const JobInfo &) { done.set(true); });
  const auto reader = rig.add(event("n/reader", 30, channel.read(hour)), [&](const JobInfo & job) {
    seen = job;
    journal.note("reader");
  });
  const auto first = rig.add_event("n/first", 40, [&](const JobInfo &) {
    for (const auto task : {producer, middle, reader}) rig.processor().release(task);
  });
  rig.start();
  rig.processor().release(first);
  ASSERT_TRUE(done.wait_for(true));
  EXPECT_THAT(journal.read(), ElementsAre("producer", "reader"));
  EXPECT_FALSE(seen.stale);
  EXPECT_GT(seen.data_age(), 0);
  EXPECT_LT(seen.data_age(), hour);
  EXPECT_EQ(rig.processor().statistics().ages.refreshed, 1U);
  EXPECT_EQ(rig.processor().counters(reader).refreshed, 1U);
  rig.stop();
}

TEST_P(ProcessorDataAgeTest, AnExtraJobIsReleasedWhereThatIsAllowed) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<bool> done;
  const auto producer =
      rig.add(event("n/producer", 10, Channel::publish_to(true)), [&](const JobInfo & job) {
        EXPECT_GE(job.index, model::first_extra_job);
        channel.publish();
        journal.note("producer");
      });
  const auto reader = rig.add(event("n/reader", 30, channel.read(hour)), [&](const JobInfo & job) {
    EXPECT_FALSE(job.stale);
    journal.note("reader");
    done.set(true);
  });
  rig.start();
  rig.processor().release(reader);
  ASSERT_TRUE(done.wait_for(true));
  EXPECT_THAT(journal.read(), ElementsAre("producer", "reader"));
  EXPECT_EQ(rig.processor().statistics().ages.extra_releases, 1U);
  EXPECT_EQ(rig.processor().counters(producer).extra_releases, 1U);
  rig.stop();
}

TEST_P(ProcessorDataAgeTest, WhatCannotBeRefreshedIsToldOrSkipped) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<int> told;
  const auto reader = rig.add(event("n/reader", 30, channel.read(hour)), [&](const JobInfo & job) {
    if (job.stale) {
      EXPECT_EQ(job.data_age(), model::never);
    }
    journal.note(job.stale ? "stale" : "fresh");
    told.add(1);
  });
  const auto skipper = rig.add(event("n/skipper", 40, channel.read(hour, model::OnStale::skip)),
                               [&](const JobInfo &) { journal.note("skipper"); });
  const auto first = rig.add_event("n/first", 50, [&](const JobInfo &) {
    rig.processor().release(skipper);
    rig.processor().release(reader);
  });
  rig.start();
  rig.processor().release(first);
  ASSERT_TRUE(told.wait_for(1));
  channel.publish();
  rig.processor().release(first);
  ASSERT_TRUE(told.wait_for(2));
  EXPECT_THAT(journal.read(), ElementsAre("stale", "skipper", "fresh"));
  const model::AgeCounters ages = rig.processor().statistics().ages;
  EXPECT_EQ(ages.stale_reported, 1U);
  EXPECT_EQ(ages.stale_skipped, 1U);
  EXPECT_EQ(rig.processor().counters(skipper).stale_skipped, 1U);
  EXPECT_EQ(rig.processor().counters(skipper).skipped, 1U);
  rig.stop();
}

/// A producer is preempted by a job that releases a reader, which needs data that the producer has
/// not published yet.
TEST_P(ProcessorDataAgeTest, AStartedProducerIsRaisedAndPutBack) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<int> ended;
  std::atomic<bool> middle_began = false;
  std::atomic<bool> producer_ended = false;
  std::vector<int> producer_began_at;
  std::vector<int> producer_ended_at;
  int reader_at = 0;
  TaskId middle = TaskId::none;
  TaskId reader = TaskId::none;
  std::array<FinishedJob, 3> finished;  // of the first job of each task
  rig.processor().set_observer(
      [](void * all, const FinishedJob & job) {
        FinishedJob & first = static_cast<FinishedJob *>(all)[to_number(job.info.task)];
        if (first.finish == 0) first = job;
      },
      finished.data());

  const auto producer =
      rig.add(event("n/producer", 10, Channel::publish_to()), [&](const JobInfo &) {
        producer_began_at.push_back(os::realtime_priority(0));
        testing::burn(3ms);
        rig.processor().release(middle);
        EXPECT_TRUE(!preempts() || busy_until(middle_began));
        testing::burn(2ms);
        producer_ended_at.push_back(os::realtime_priority(0));
        channel.publish();
        journal.note("producer");
        producer_ended = true;
      });
  middle = rig.add_event("n/middle", 20, [&](const JobInfo &) {
    middle_began = true;
    testing::burn(1ms);
    rig.processor().release(reader);
    EXPECT_TRUE(busy_until(producer_ended)) << "the producer continues, at the reader's priority";
    testing::burn(3ms);
    journal.note("middle");
    ended.add(1);
  });
  reader = rig.add(event("n/reader", 30, channel.read(hour)), [&](const JobInfo & job) {
    EXPECT_FALSE(job.stale);
    reader_at = os::realtime_priority(0);
    testing::burn(2ms);
    journal.note("reader");
    ended.add(1);
  });
  rig.start();
  rig.processor().release(producer);
  ASSERT_TRUE(ended.wait_for(2));
  rig.processor().release(producer);
  ASSERT_TRUE(ended.wait_for(4));
  rig.stop();

  if (preempts()) {
    EXPECT_THAT(journal.read(),
                ElementsAre("producer", "reader", "middle", "reader", "middle", "producer"))
        << "the second time, the data is young enough without a refresh";
    EXPECT_EQ(producer_ended_at[0], reader_at);
    EXPECT_LT(producer_began_at[0], producer_ended_at[0]);
    EXPECT_EQ(producer_began_at, (std::vector{producer_began_at[0], producer_began_at[0]}));
    EXPECT_EQ(producer_ended_at[1], producer_began_at[0]);
  } else {
    EXPECT_THAT(journal.read(),
                ElementsAre("producer", "middle", "reader", "producer", "middle", "reader"));
  }

  // Each execution time contains what the job has burnt, and together they do not exceed the
  // elapsed time.
  const auto of = [&finished](TaskId task) { return finished[to_number(task)]; };
  EXPECT_GE(of(producer).execution, 5 * ms);
  EXPECT_GE(of(middle).execution, 4 * ms);
  EXPECT_GE(of(reader).execution, 2 * ms);
  const auto end = std::max({of(producer).finish, of(middle).finish, of(reader).finish});
  EXPECT_LE(of(producer).execution + of(middle).execution + of(reader).execution,
            end - of(producer).info.start);
}

TEST_P(ProcessorDataAgeTest, BelongsToAScenario) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<int> done;
  const auto producer = rig.add(event("n/producer", 10, Channel::publish_to(true)),
                                [&](const JobInfo &) { journal.note("producer"); });
  const auto reader =
      rig.add(event("n/reader", 30, channel.read(model::never)), [&](const JobInfo &) {
        journal.note("reader");
        done.add(1);
      });
  Scenario bounded;
  bounded.timings[reader].max_age[0] = hour;
  rig.processor().set_scenarios({bounded});
  rig.start();
  rig.processor().release(reader);
  ASSERT_TRUE(done.wait_for(1));
  for (const model::ScenarioId scenario : {1U, 0U}) {
    rig.processor().request_scenario(scenario);
    rig.processor().release(reader);
    ASSERT_TRUE(done.wait_for(scenario == 1 ? 2 : 3));
  }
  EXPECT_THAT(journal.read(), ElementsAre("reader", "producer", "reader", "reader"));
  EXPECT_EQ(rig.processor().counters(producer).extra_releases, 1U);
  rig.stop();
}

TEST_P(ProcessorDataAgeTest, WhatTasksReadAndPublishMayChangeWhileSpinning) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Channel channel;
  Watched<int> done;
  TaskId reader = TaskId::none;
  const auto producer =
      rig.add(event("n/producer", 10), [&](const JobInfo &) { journal.note("producer"); });
  reader = rig.add(event("n/reader", 30), [&](const JobInfo &) {
    journal.note("reader");
    // Called inside a callback, it returns at once.
    rig.processor().set_data_flow({});
    done.add(1);
  });
  rig.start();
  rig.processor().release(reader);
  ASSERT_TRUE(done.wait_for(1));
  rig.processor().set_data_flow({{producer, Channel::publish_to(true)},
                                 {reader, channel.read(hour)},
                                 {TaskId{77}, channel.read(hour)}});
  rig.processor().release(reader);
  ASSERT_TRUE(done.wait_for(2));
  rig.processor().release(reader);
  ASSERT_TRUE(done.wait_for(3));
  EXPECT_THAT(journal.read(), ElementsAre("reader", "producer", "reader", "reader"));
  EXPECT_THROW(rig.processor().set_data_flow({{reader, channel.read(-1)}}), std::invalid_argument);
  rig.stop();
}

TEST_P(ProcessorDataAgeTest, DataMayComeFromAnyThread) {
  Rig rig(options("fp"), rights());
  Channel channel;
  std::atomic<bool> end = false;
  Watched<int> fresh;
  model::Task reader{.id = "n/reader", .period = ms, .deadline = ms};
  reader.data = channel.read(hour);
  rig.add(reader, [&](const JobInfo & job) { fresh.add(job.stale ? 0 : 1); });
  std::thread publisher([&] {
    while (!end) channel.publish();
  });
  rig.start();
  EXPECT_TRUE(fresh.wait_for_at_least(50));
  rig.stop();
  end = true;
  publisher.join();
}

TEST(ProcessorDataAgeInOneModeTest, ANegativeMarginIsRefused) {
  Options options;
  options.age_margin = -1;
  EXPECT_THROW(Processor{options}, std::invalid_argument);
}

}  // namespace
}  // namespace takt::executor
