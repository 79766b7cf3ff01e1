// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A callback that waits for the response of a service, which its own executor would have to receive.
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <takt_msgs/srv/echo.hpp>
#include <thread>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using takt_msgs::srv::Echo;
using testing::Seen;

TEST(WaitingCallbackTest, IsToldWithItsClientAndTheRemedies) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  const auto service = node->create_service<Echo>(
      "echo", [](const Echo::Request & question, Echo::Response & answer) {
        answer.sequence = question.sequence;
      });
  const auto other = node->create_client<Echo>("other");
  const auto client = node->create_client<Echo>("echo");
  int calls = 0;
  const auto timer = node->create_timer("asks", 5ms, {}, [&] {
    // The wait ends when the pending request is removed.
    if (++calls == 1) client->async_send_request(testing::request(1)).future.wait();
  });
  Seen<std::string> lines;
  SchedulingExecutor executor({.policy = "fp",
                               .lock_memory = false,
                               .log = [&](const std::string & line) { lines.add(line); },
                               .diagnostics = {.enabled = false},
                               .context = context});
  executor.add_node(node);
  std::thread thread([&] { executor.spin(); });
  const auto told = [&] {
    for (const std::string & line : lines.wait_for(1)) {
      if (line.find("'node/asks' blocks") != std::string::npos) return line;
    }
    return std::string();
  };
  EXPECT_TRUE(testing::eventually([&] { return !told().empty(); }));
  const std::string above = executor.grants().realtime
                                ? "a group of its own and a higher priority than callback "
                                  "'node/asks', or another CPU"
                                : "another CPU";
  EXPECT_THAT(told(), ::testing::AllOf(::testing::HasSubstr("it seems to wait for the response to "
                                                            "a request by client 'node/echo"),
                                       ::testing::HasSubstr("async_send_request()"),
                                       ::testing::HasSubstr(above),
                                       ::testing::Not(::testing::HasSubstr("node/other"))));
  EXPECT_TRUE(testing::eventually([&] { return client->prune_pending_requests() > 0; }));
  executor.cancel();
  thread.join();
}

}  // namespace
}  // namespace takt
