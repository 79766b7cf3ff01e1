// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {
namespace {

ThreadUse thread(int tid, const char * name) {
  return {.tid = tid, .name = name};
}

TEST(ReportTest, ThreadsBelongToTheExecutorTheMiddlewareOrNeither) {
  ThreadFacts facts;
  facts.main_tid = 1;
  const auto name = [&](const ThreadUse & use) {
    return std::string(to_string(class_of(use, facts)));
  };
  EXPECT_EQ(name(thread(1, "runner")), "other");
  facts.main_executes = true;
  EXPECT_EQ(name(thread(1, "runner")), "executor");
  for (const char * own :
       {"takt.timer", "takt.w1", "takt.w12", "takt.handler", "takt.watchdog", "floor.worker"}) {
    EXPECT_EQ(name(thread(2, own)), "executor") << own;
  }
  for (const char * other : {"takt.log", "takt.clock", "lab.overseer"}) {
    EXPECT_EQ(name(thread(2, other)), "other") << other;
  }
  facts.before_spin = {1, 2, 3};
  EXPECT_EQ(name(thread(3, "runner")), "middleware");
  EXPECT_EQ(name(thread(4, "runner")), "executor");
  EXPECT_EQ(name(thread(4, "lab.overseer")), "other");
  facts.before_spin.clear();
  facts.earlier = {3};
  EXPECT_EQ(name(thread(3, "runner")), "other");
  for (const char * middleware : {"dds.udp.7411", "dds.ev.1", "runner", "recvUC"}) {
    EXPECT_EQ(name(thread(2, middleware)), "middleware") << middleware;
  }
}

TEST(ReportTest, CpuTimeAddsUp) {
  CpuWindow cpu;
  cpu.prepare();
  cpu.open();
  cpu.close();
  ThreadFacts facts;
  facts.main_tid = os::thread_id();
  facts.main_executes = true;
  facts.inherited = 7;
  const auto json = cpu_json(cpu, facts, 11);
  EXPECT_EQ(json["cpu_window"]["reading_ns"], 11);
  // Only the main thread is checked, because sanitizers have threads of their own.
  for (const auto & item : json["threads"]) {
    if (item["tid"] != facts.main_tid) continue;
    EXPECT_EQ(item["class"], "executor");
    EXPECT_EQ(item["asked"], 7);
    EXPECT_EQ(item["granted"], os::realtime_priority(0));
    EXPECT_EQ(json["cpu_ns"]["executor"], item["cpu_ns"]);
    return;
  }
  FAIL() << json.dump(2);
}

TEST(ReportTest, NobodyAsksForThePriorityOfAsynchronousSenders) {
  os::Event end_sender;
  os::Event end_receiver;
  const os::Thread sender({.name = "dds.asyn.0"}, [&] { end_sender.wait(); });
  const os::Thread receiver({.name = "dds.udp.7411"}, [&] { end_receiver.wait(); });
  CpuWindow cpu;
  cpu.prepare();
  cpu.open();
  cpu.close();
  ThreadFacts facts;
  facts.main_tid = os::thread_id();
  facts.inherited = 7;
  const auto json = cpu_json(cpu, facts, 0);
  const auto asked = [&](int tid) {
    for (const auto & item : json["threads"]) {
      if (item["tid"] == tid) return item["asked"].get<int>();
    }
    return -1;
  };
  EXPECT_EQ(asked(sender.tid()), 0);
  EXPECT_EQ(asked(receiver.tid()), 7);
  end_sender.post();
  end_receiver.post();
}

TEST(ReportTest, WhatWasRefusedIsSaid) {
  const auto grants =
      plain_grants("ros", {.asked = 9, .granted = 0, .error = "no priority"}, 1, {1, 1, ""});
  const auto json = to_json(grants);
  EXPECT_EQ(json["realtime"], false);
  EXPECT_EQ(json["memory_locked"], true);
  EXPECT_EQ(json["refused"], nlohmann::ordered_json::array({"no priority"}));
}

}  // namespace
}  // namespace takt::lab
