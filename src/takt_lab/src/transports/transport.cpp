// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/transport.hpp"

#include <algorithm>
#include <array>
#include <takt/context.hpp>

#include "error.hpp"
#include "rclcpp_nodes/rclcpp_transport.hpp"
#include "transports/cyclonedds.hpp"
#include "transports/fastdds.hpp"
#include "transports/ros.hpp"
#include "transports/syscalls.hpp"
#include "transports/udp.hpp"

namespace takt::lab {
namespace {

using Make = std::unique_ptr<Transport> (*)(const char * name, const TransportOptions &,
                                            bool several);

struct Entry {
  const char * name;
  bool raw;
  const char * lacks;  ///< why this build lacks it; nullptr if it has it
  Make make;
};

std::unique_ptr<Transport> make_of_rclcpp(const char * name, const TransportOptions & options,
                                          bool) {
  return make_rclcpp_transport(name, options);
}

const std::array entries = {
    Entry{"takt", false, nullptr,
          [](const char *, const TransportOptions & options, bool) { return make_takt(options); }},
    Entry{"stock", false, nullptr,
          [](const char *, const TransportOptions & options, bool) { return make_stock(options); }},
    Entry{"takt-rclcpp", false, lacks_rclcpp(), make_of_rclcpp},
    Entry{"rclcpp-single", false, lacks_rclcpp(), make_of_rclcpp},
    Entry{"rclcpp-multi", false, lacks_rclcpp(), make_of_rclcpp},
    Entry{"rclcpp-events", false, lacks_rclcpp(), make_of_rclcpp},
    Entry{
        "fastdds", true, lacks_fastdds(),
        [](const char *, const TransportOptions & options, bool) { return make_fastdds(options); }},
    Entry{"cyclonedds", true, lacks_cyclonedds(),
          [](const char *, const TransportOptions & options, bool) {
            return make_cyclonedds(options);
          }},
    Entry{"udp", true, nullptr,
          [](const char *, const TransportOptions & options, bool) { return make_udp(options); }},
    Entry{"syscalls", true, nullptr,
          [](const char *, const TransportOptions & options, bool several) {
            return several ? make_syscalls(options) : make_udp(options);
          }},
};

}  // namespace

void Transport::add_beside(const std::string & node, std::size_t pairs) {
  if (pairs > 0) {
    throw Error("--beside: " + node +
                " is not a ROS node, so nothing can be added to it; use the "
                "transport takt or stock");
  }
}

nlohmann::ordered_json transports_json() {
  auto list = nlohmann::ordered_json::array();
  for (const Entry & entry : entries) {
    list.push_back({{"name", entry.name},
                    {"raw", entry.raw},
                    {"available", entry.lacks == nullptr},
                    {"why", entry.lacks == nullptr ? "" : entry.lacks}});
  }
  return list;
}

bool is_raw(const std::string & name) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry & entry) { return entry.raw && name == entry.name; });
}

std::vector<std::string> transport_names() {
  std::vector<std::string> names;
  for (const Entry & entry : entries) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Transport> make_transport(const std::string & name,
                                          const TransportOptions & options, bool several) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry & entry) { return name == entry.name; });
  if (found == entries.end()) throw Error("--transport: unknown transport '" + name + "'");
  if (found->lacks != nullptr) throw Error("--transport " + name + ": " + found->lacks);
  return found->make(found->name, options, several);
}

std::vector<std::uint8_t> payload_of(std::size_t bytes) {
  std::vector<std::uint8_t> payload(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    payload[i] = static_cast<std::uint8_t>((i * 31 + (i >> 8)) & 0xff);
  }
  return payload;
}

}  // namespace takt::lab
