// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/context.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;

TEST(ContextTest, IsValidFromInitToShutdown) {
  EXPECT_FALSE(ok());
  EXPECT_THROW(Node("early"), Error);
  shutdown();
  init();
  EXPECT_TRUE(ok());
  EXPECT_THROW(init(), Error);
  shutdown();
  EXPECT_FALSE(ok());
  shutdown();
  init();
  EXPECT_TRUE(ok());
  shutdown();
}

TEST(ContextTest, TellsOfShutdownOnce) {
  const auto context = testing::make_context();
  int told = 0;
  int untold = 0;
  context->on_shutdown([&] { ++told; });
  const auto handle = context->on_shutdown([&] { ++untold; });
  context->remove_on_shutdown(handle);
  context->shutdown();
  context->shutdown();
  EXPECT_EQ(told, 1);
  EXPECT_EQ(untold, 0);
  int late = 0;
  context->on_shutdown([&] { ++late; });
  EXPECT_EQ(late, 1);
}

TEST(ContextTest, TakesTheRosArguments) {
  const auto context = testing::make_context(
      {"program", "--ros-args", "-r", "__ns:=/robot", "-r", "scan:=laser", "-r", "__node:=named"});
  Node node("node", {.context = context});
  EXPECT_EQ(node.get_name(), "named");
  EXPECT_EQ(node.get_namespace(), "/robot");
  EXPECT_EQ(node.get_fully_qualified_name(), "/robot/named");
  EXPECT_EQ(node.resolve_topic_name("scan"), "/robot/laser");
  const auto timer = node.create_timer("tick", 1s, [] {});
  EXPECT_EQ(timer->id(), "robot/named/tick");
}

TEST(ContextTest, ANodeHasArgumentsOfItsOwn) {
  const auto context = testing::make_context({"program", "--ros-args", "-r", "a:=b"});
  Node node("node", {.context = context,
                     .namespace_ = "ns",
                     .arguments = {"--ros-args", "-r", "a:=c"},
                     .use_global_arguments = false});
  EXPECT_EQ(node.resolve_topic_name("a"), "/ns/c");
}

TEST(ContextTest, RefusesUnknownRosArgumentsByName) {
  try {
    testing::make_context({"program", "--ros-args", "--no-such-thing"});
    FAIL();
  } catch (const Error & error) {
    EXPECT_NE(std::string(error.what()).find("--no-such-thing"), std::string::npos);
  }
  try {
    testing::make_context({"program", "--ros-args", "--parms-file", "x"});
    FAIL();
  } catch (const Error & error) {
    EXPECT_NE(std::string(error.what()).find("did you mean '--params-file'?"), std::string::npos);
  }
}

TEST(ContextTest, RemovesTheRosArguments) {
  const char * line[] = {"program", "one", "--ros-args", "-r", "a:=b", "--", "two"};
  EXPECT_EQ(remove_ros_arguments(7, line), (std::vector<std::string>{"program", "one", "two"}));
}

TEST(ContextTest, RefusesBadNodeNames) {
  const auto context = testing::make_context();
  EXPECT_THROW(Node("not a name", {.context = context}), NameError);
  EXPECT_THROW(Node("node", {.context = context, .namespace_ = "not good"}), NameError);
}

TEST(ContextTest, HasADomain) {
  auto context = std::make_shared<Context>();
  context->init(0, nullptr, {.domain_id = 42, .handle_signals = false});
  EXPECT_EQ(context->domain_id(), 42u);
  EXPECT_NE(std::string(rmw_identifier()), "");
}

template <typename Executor>
int spin_until_signal(int signal) {
  std::signal(signal, SIG_DFL);  // the parent process may have set it to be ignored
  init();
  auto node = std::make_shared<Node>("node");
  int count = 0;
  const auto timer = node->create_timer("raise", 1ms, [&] {
    if (++count == 3) kill(getpid(), signal);
  });
  Executor executor;
  executor.add_node(node);
  executor.spin();
  const bool was_ok = ok();
  shutdown();
  return was_ok ? 1 : 0;
}

/// A signal ends a process that does not handle it: each test runs in a process of its own.
class SignalsTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(SignalsTest, EndSpinUnderTheSchedulingExecutor) {
  EXPECT_EXIT(std::exit(spin_until_signal<SchedulingExecutor>(SIGINT)),
              ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(spin_until_signal<SchedulingExecutor>(SIGTERM)),
              ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(spin_until_signal<SchedulingExecutor>(SIGHUP)),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(SignalsTest, EndSpinUnderTheStockExecutor) {
  EXPECT_EXIT(std::exit(spin_until_signal<StockExecutor>(SIGINT)), ::testing::ExitedWithCode(0),
              "");
}

extern "C" void previous_handler(int) {
  std::_Exit(7);
}

TEST_F(SignalsTest, ThePreviousHandlersComeBackAtShutdown) {
  EXPECT_EXIT(
      {
        std::signal(SIGINT, previous_handler);
        init();
        struct sigaction during = {};
        sigaction(SIGINT, nullptr, &during);
        if (during.sa_handler == previous_handler) std::_Exit(1);
        shutdown();
        std::raise(SIGINT);
        std::_Exit(2);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST_F(SignalsTest, APreviousHandlerIsCalledBesides) {
  EXPECT_EXIT(
      {
        static std::atomic<int> called = 0;
        std::signal(SIGINT, [](int) { ++called; });
        struct sigaction action = {};
        action.sa_sigaction = [](int, siginfo_t * info, void *) {
          called += info->si_pid == getpid();
        };
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGTERM, &action, nullptr);
        init();
        std::raise(SIGINT);
        std::raise(SIGTERM);
        std::_Exit(called == 2 && testing::eventually([] { return !ok(); }) ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

/// Raises several signals, as a terminal and a launcher do. Those within 0.5 s of the first have no
/// effect.
int spin_until_many_signals() {
  static std::atomic<os::Time> first = 0;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  init();
  auto node = std::make_shared<Node>("node");
  const auto timer = node->create_timer("raise", 1ms, [] {
    if (first == 0) first = os::now();
    for (const int signal : {SIGINT, SIGINT, SIGTERM}) kill(getpid(), signal);
  });
  const auto again = [] {
    if (os::now() - first < 300'000'000) kill(getpid(), SIGINT);
  };
  {
    SchedulingExecutor executor;
    executor.add_node(node);
    executor.spin();
    again();
  }
  again();
  shutdown();
  again();
  return ok() ? 1 : 0;
}

TEST_F(SignalsTest, ThatComeTogetherAreOne) {
  EXPECT_EXIT(std::exit(spin_until_many_signals()), ::testing::ExitedWithCode(0), "");
}

TEST_F(SignalsTest, ALaterOneEndsTheProcess) {
  EXPECT_EXIT(
      {
        std::signal(SIGTERM, SIG_DFL);
        init();
        default_context()->on_pre_shutdown([] {
          // Repeated, because signals within 0.5 s of the first have no effect.
          testing::eventually([] { return kill(getpid(), SIGTERM) != 0; });
        });
        std::raise(SIGINT);
        testing::eventually([] { return false; });
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST_F(SignalsTest, AnIgnoredHangupStaysIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        init();
        std::raise(SIGHUP);
        std::raise(SIGINT);
        struct sigaction now = {};
        sigaction(SIGHUP, nullptr, &now);
        std::_Exit(now.sa_handler == SIG_IGN && testing::eventually([] { return !ok(); }) ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(SignalsTest, TheNextContextHasOneOfItsOwn) {
  EXPECT_EXIT(
      {
        init();
        std::raise(SIGINT);
        if (!testing::eventually([] { return !ok(); })) std::_Exit(1);
        shutdown();
        init();
        testing::eventually([] {
          std::raise(SIGINT);  // repeated: within 0.5 s of the earlier one it has no effect
          return !ok();
        });
        std::_Exit(ok() ? 2 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(SignalsTest, AreLeftAloneIfAskedTo) {
  EXPECT_EXIT(
      {
        init(0, nullptr, {.handle_signals = false});
        kill(getpid(), SIGTERM);
        testing::eventually([] { return false; });
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace takt
