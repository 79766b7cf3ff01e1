// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// All programs of this folder in one executable. The name by which it is started selects the program. This
// way, common headers are compiled only once.

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "programs/programs.hpp"

namespace takt::lab {
namespace {

std::map<std::string, int (*)(int, char **)> programs() {
  return {
      {"crossing", crossing::start},
      {"cyclic", cyclic::start},
      {"dispatch", dispatch::start},
      {"exchange", exchange::start},
      {"interference", interference::start},
      {"nodes", nodes::start},
      {"one_way", one_way::start},
      {"preemption", preemption::start},
      {"probe", probe::start},
      {"replay", replay::start},
      {"round_trip", round_trip::start},
      {"runner", runner::start},
      {"section", section::start},
      {"simulate", simulate::start},
      {"soak", soak::start},
      {"switch", switches::start},
      {"timers", timers::start},
      {"trace", tracing::start},
      {"transport", transport::start},
  };
}

}  // namespace
}  // namespace takt::lab

int main(int argc, char ** argv) {
  const auto all = takt::lab::programs();
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  const auto program = all.find(name);
  if (program == all.end()) {
    std::fprintf(stderr, "%s: not a program of takt_lab\n", name.c_str());
    return 2;
  }
  return program->second(argc, argv);
}
