// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "started_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A thread as started by a callback, without a name of its own: it has the name of a worker.
class Unnamed {
 public:
  explicit Unnamed(int cpu) : thread_([this, cpu] { run(cpu); }) { begun_.wait(); }
  ~Unnamed() {
    go_on_.post();
    end_.post();
    thread_.join();
  }
  void name_itself() {
    go_on_.post();
    named_.wait();
  }
  int tid() const { return tid_; }

 private:
  void run(int cpu) {
    os::name_thread("takt.w1");
    os::pin(0, cpu);
    tid_ = os::thread_id();
    begun_.post();
    go_on_.wait();
    os::name_thread("test.late");
    named_.post();
    end_.wait();
  }

  os::Event begun_;
  os::Event go_on_;
  os::Event named_;
  os::Event end_;
  int tid_ = 0;
  std::thread thread_;
};

class StartedThreadsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (os::allowed_cpus().size() < 2) GTEST_SKIP() << "the process may use only one CPU";
  }
  const int cpu_ = os::allowed_cpus().back();
  std::vector<std::string> lines_;
  Log log_{[this](const std::string & line) { lines_.push_back(line); }};
};

TEST_F(StartedThreadsTest, AreToldByTheNameThatTheyGiveThemselves) {
  StartedThreads started(cpu_, false, log_);
  Unnamed thread(cpu_);
  started.look();
  EXPECT_TRUE(lines_.empty());
  thread.name_itself();
  started.look();
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("thread 'test.late' may run on")));
  started.look();
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(StartedThreadsTest, AreToldOnceWhereTheyHaveNoNameOfTheirOwn) {
  StartedThreads started(cpu_, false, log_);
  Unnamed thread(cpu_);
  const Unnamed another(cpu_);
  started.look();
  EXPECT_TRUE(lines_.empty());
  started.look();
  started.look();
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("a thread without a name of its own, started by a "
                                            "callback (it is called takt.w1), may run on")));
  // A thread that names itself is reported by that name, however late.
  thread.name_itself();
  started.look();
  EXPECT_THAT(lines_, ElementsAre(_, HasSubstr("thread 'test.late' may run on")));
}

TEST_F(StartedThreadsTest, MayUseAllCpusWhereTheyHaveNoNameOfTheirOwn) {
  StartedThreads started(cpu_, true, log_);
  const Unnamed thread(cpu_);
  started.look();
  started.look();
  EXPECT_EQ(os::pinned_cpu(thread.tid()), -1);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(StartedThreadsTest, AreNoneOfTaktsOwn) {
  os::Event end;
  const os::Thread own({.name = "takt.w1", .cpu = cpu_}, [&end] {
    os::name_thread("test.renamed");
    end.wait();
  });
  for (const bool widen : {false, true}) {
    StartedThreads started(cpu_, widen, log_);
    started.look();
    started.look();
  }
  EXPECT_EQ(os::pinned_cpu(own.tid()), cpu_);
  EXPECT_TRUE(lines_.empty());
  end.post();
}

}  // namespace
}  // namespace takt::executor
