// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "benchmark.hpp"

#include <takt_core/os/thread.hpp>
#include <utility>

#include "command_line.hpp"
#include "error.hpp"
#include "npy.hpp"
#include "program.hpp"
#include "report.hpp"

namespace takt::lab {

void add_options(CommandLine & line, BenchmarkArguments & arguments) {
  line.option("--cpu", arguments.cpu, "CPU of the whole process").required();
  line.option("--rounds", arguments.rounds, "Number of rounds; each measures every variant once")
      .above_zero()
      .shows_default();
  line.option("--turn-ns", arguments.turn, "Measuring time per variant and round, in ns")
      .above_zero()
      .shows_default();
  line.option("--samples", arguments.samples, "Maximum number of samples to keep")
      .above_zero()
      .shows_default();
  line.option("--out", arguments.out, "Folder for the results").required();
}

Samples::Samples(std::vector<std::string> variants, std::uint64_t most)
    : variants_(std::move(variants)) {
  rows_.reserve(most);
}

void Samples::add(const SampleRow & row) noexcept {
  if (rows_.size() < rows_.capacity()) {
    rows_.push_back(row);
  } else {
    ++dropped_;
  }
}

void Samples::write(const std::string & name, const BenchmarkArguments & arguments,
                    const executor::Grants & grants, const nlohmann::ordered_json & more) const {
  nlohmann::ordered_json json = {{"schema_version", 1},        {"program", name},
                                 {"variants", variants_},      {"cpu", arguments.cpu},
                                 {"rounds", arguments.rounds}, {"turn_ns", arguments.turn},
                                 {"samples", rows_.size()},    {"dropped", dropped_},
                                 {"grants", to_json(grants)},  {"versions", versions_json()}};
  json.update(more);
  if (rows_.empty()) throw Error("nothing was measured: increase --turn-ns");
  write_npy<SampleRow>(arguments.out + "/" + name + ".samples.npy", rows_);
  write_json(arguments.out + "/" + name + ".json", json);
}

void demand_realtime() {
  const os::Thread probe({.name = "lab.rights", .priority = executor::PriorityPlan{}.timer}, [] {});
  if (!probe.priority().ok()) throw Error(probe.priority().error);
}

std::vector<std::size_t> turns(std::uint32_t round, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back((round + i) % count);
  return order;
}

}  // namespace takt::lab
