// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// To be preloaded in place of tracetools. Writes each call of a tracepoint as a line of JSON to the
// file that TAKT_TRACE names, in the order of the calls, whether or not a tracer is active. The
// functions are declared by tracetools' own headers.

#include <fcntl.h>
#include <tracetools/tracetools.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void add(std::string & line, const void * value) {
  char text[32];
  std::snprintf(text, sizeof text, "%ju",
                static_cast<std::uintmax_t>(reinterpret_cast<std::uintptr_t>(value)));
  line += text;
}
void add(std::string & line, const char * value) {
  line += '"';
  for (; value != nullptr && *value != '\0'; ++value) {
    if (*value == '"' || *value == '\\') line += '\\';
    line += *value;
  }
  line += '"';
}
void add(std::string & line, std::int64_t value) {
  line += std::to_string(value);
}
void add(std::string & line, std::size_t value) {
  line += std::to_string(value);
}
void add(std::string & line, bool value) {
  line += value ? "true" : "false";
}
// A gid.
void add(std::string & line, const std::uint8_t * value) {
  line += '"';
  for (int i = 0; i < 16; ++i) {
    char text[4];
    std::snprintf(text, sizeof text, "%02x", value[i]);
    line += text;
  }
  line += '"';
}

template <typename... Arguments>
void record(const char * event, Arguments... arguments) {
  static const char * const path = std::getenv("TAKT_TRACE");
  static const int file =
      path != nullptr ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  std::string line = "[\"";
  line += event;
  line += "\", ";
  line += std::to_string(gettid());
  const auto one = [&line](auto value) {
    line += ", ";
    add(line, value);
  };
  (one(arguments), ...);
  line += "]\n";
  // One write, so that lines of several threads do not mix.
  if (write(file, line.data(), line.size()) < 0) std::abort();
}

}  // namespace

#define TAKT_DOUBLE(event, parameters, ...) \
  void ros_trace_##event parameters {       \
    record(#event, __VA_ARGS__);            \
  }                                         \
  bool ros_trace_enabled_##event() {        \
    return true;                            \
  }                                         \
  void ros_trace_do_##event parameters {    \
    record(#event, __VA_ARGS__);            \
  }

using Pointer = const void *;
using Text = const char *;

extern "C" {

bool ros_trace_compile_status() {
  return true;
}
TAKT_DOUBLE(rcl_init, (Pointer a), a)
TAKT_DOUBLE(rcl_node_init, (Pointer a, Pointer b, Text c, Text d), a, b, c, d)
TAKT_DOUBLE(rmw_publisher_init, (Pointer a, const std::uint8_t * b), a, b)
TAKT_DOUBLE(rcl_publisher_init, (Pointer a, Pointer b, Pointer c, Text d, const std::size_t e), a,
            b, c, d, e)
TAKT_DOUBLE(rclcpp_publish, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rclcpp_intra_publish, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rcl_publish, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rmw_publish, (Pointer a, Pointer b, std::int64_t c), a, b, c)
TAKT_DOUBLE(rmw_subscription_init, (Pointer a, const std::uint8_t * b), a, b)
TAKT_DOUBLE(rcl_subscription_init, (Pointer a, Pointer b, Pointer c, Text d, const std::size_t e),
            a, b, c, d, e)
TAKT_DOUBLE(rclcpp_subscription_init, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rclcpp_subscription_callback_added, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rmw_take, (Pointer a, Pointer b, std::int64_t c, const bool d), a, b, c, d)
TAKT_DOUBLE(rcl_take, (Pointer a), a)
TAKT_DOUBLE(rclcpp_take, (Pointer a), a)
TAKT_DOUBLE(rcl_service_init, (Pointer a, Pointer b, Pointer c, Text d), a, b, c, d)
TAKT_DOUBLE(rclcpp_service_callback_added, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rcl_client_init, (Pointer a, Pointer b, Pointer c, Text d), a, b, c, d)
TAKT_DOUBLE(rcl_timer_init, (Pointer a, std::int64_t b), a, b)
TAKT_DOUBLE(rclcpp_timer_callback_added, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rclcpp_timer_link_node, (Pointer a, Pointer b), a, b)
TAKT_DOUBLE(rclcpp_callback_register, (Pointer a, Text b), a, b)
TAKT_DOUBLE(callback_start, (Pointer a, const bool b), a, b)
TAKT_DOUBLE(callback_end, (Pointer a), a)
}
