// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Serves /takt_echo (the number goes up by one), and asks /py_echo as soon as it is served.

#include <chrono>
#include <cinttypes>
#include <memory>
#include <takt/takt.hpp>
#include <takt_msgs/srv/echo.hpp>

#include "ready.hpp"

using takt_msgs::srv::Echo;
using namespace std::chrono_literals;

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("services");
  const auto service = node->create_service<Echo>(
      "takt_echo", [](const Echo::Request & request, Echo::Response & response) {
        response.sequence = request.sequence + 1;
        response.data = request.data;
      });
  const auto client = node->create_client<Echo>("py_echo");
  bool asked = false;
  const auto timer = node->create_timer("ask", 20ms, [&] {
    if (asked || !client->service_is_ready()) return;
    asked = true;
    auto request = std::make_shared<Echo::Request>();
    request->sequence = 7;
    request->data.assign(1000, 3);
    client->async_send_request(request, [](takt::Client<Echo>::SharedFuture future) {
      const auto response = future.get();
      say("answer %" PRIu64 " with %zu bytes", response->sequence, response->data.size());
    });
  });
  spin_ready(node);
}
