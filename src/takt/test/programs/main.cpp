// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// All programs of this folder are one executable, so that the headers that they include are
// compiled once. The name by which it is started selects the program.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <takt/takt.hpp>

#include "programs.hpp"

int main(int argc, char ** argv) {
  const std::map<std::string, programs::Program *> all = {
      {"clock", programs::clock},
      {"echo_topics", programs::echo_topics},
      {"events", programs::events},
      {"fault_reader", programs::fault_reader},
      {"fault_writer", programs::fault_writer},
      {"latched", programs::latched},
      {"live", programs::live},
      {"parameters", programs::parameters},
      {"scenarios", programs::scenarios},
      {"services", programs::services},
      {"traced", programs::traced},
  };
  const std::string name = std::filesystem::path(argv[0]).filename();
  const auto program = all.find(name);
  if (program == all.end()) {
    std::fprintf(stderr, "%s: no program of this name\n", name.c_str());
    return 2;
  }
  try {
    program->second(argc, argv);
  } catch (const takt::Error & error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
