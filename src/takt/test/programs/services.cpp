// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Serves /takt_echo, which returns the number plus one. Calls /py_echo when it is available, and
// again each second until there is a response: a server drops its response to a client that it has
// not discovered yet.

#include <chrono>
#include <cinttypes>
#include <memory>
#include <takt/takt.hpp>
#include <takt_msgs/srv/echo.hpp>

#include "programs.hpp"
#include "ready.hpp"

using takt_msgs::srv::Echo;
using namespace std::chrono_literals;

void programs::services(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("services");
  const auto service = node->create_service<Echo>(
      "takt_echo", [](const Echo::Request & request, Echo::Response & response) {
        response.sequence = request.sequence + 1;
        response.data = request.data;
      });
  const auto client = node->create_client<Echo>("py_echo");
  bool answered = false;
  auto again = std::chrono::steady_clock::now();
  const auto timer = node->create_timer("ask", 20ms, [&] {
    const auto now = std::chrono::steady_clock::now();
    if (answered || now < again || !client->service_is_ready()) return;
    again = now + 1s;
    auto request = std::make_shared<Echo::Request>();
    request->sequence = 7;
    request->data.assign(1000, 3);
    client->async_send_request(request, [&answered](takt::Client<Echo>::SharedFuture future) {
      answered = true;
      const auto response = future.get();
      say("answer %" PRIu64 " with %zu bytes", response->sequence, response->data.size());
    });
  });
  spin_ready(node);
}
