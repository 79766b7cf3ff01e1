// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "npy.hpp"
#include "testing/program_run.hpp"
#include "transports/transport.hpp"

namespace takt::lab::testing {

/// Returns whether this build has the transport.
inline bool available(const std::string & transport) {
  for (const auto & entry : transports_json()) {
    if (entry["name"] == transport) return entry["available"];
  }
  return false;
}

/// Returns the arguments of one side for a short run that is long enough for a busy host. The first messages
/// may be lost if the other side has not discovered this one yet; therefore the time-out is a third of the
/// run, unless `more` contains another one.
inline std::vector<std::string> conversation(const std::string & side,
                                             const std::string & transport, const Folder & folder,
                                             const std::vector<std::string> & more = {}) {
  std::vector<std::string> all = {"--side",        side,        "--transport", transport,
                                  "--duration-ns", "300000000", "--warmup-ns", "0",
                                  "--out",         folder / "", "--tag",       side};
  all.insert(all.end(), more.begin(), more.end());
  if (std::find(more.begin(), more.end(), "--timeout-ns") == more.end()) {
    all.insert(all.end(), {"--timeout-ns", "100000000"});
  }
  return all;
}

inline nlohmann::json facts_of(const Folder & folder, const std::string & tag) {
  return nlohmann::json::parse(text_of(folder / (tag + ".json")));
}

}  // namespace takt::lab::testing
