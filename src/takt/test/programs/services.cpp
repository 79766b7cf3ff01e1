// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Serves /takt_echo (the number goes up by one), and asks /py_echo as soon as it is served, again
// each second until there is an answer: a server drops what it answers to a client not found yet.

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
