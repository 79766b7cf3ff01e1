// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <takt_core/executor/options.hpp>
#include <takt_core/model/types.hpp>
#include <vector>

#include "rows.hpp"

namespace takt::lab {

class CommandLine;

/// The arguments of every benchmark. Its variants are measured in turns, over several rounds, so that
/// disturbances by the host affect all of them.
struct BenchmarkArguments {
  int cpu = 0;
  std::uint32_t rounds = 5;
  /// Measuring time per variant and round, in ns.
  model::Duration turn = 200'000'000;
  std::uint64_t samples = 4'000'000;
  std::string out;
};

void add_options(CommandLine & line, BenchmarkArguments & arguments);

/// The samples of a benchmark, in memory that is reserved in advance. One thread at a time.
class Samples {
 public:
  /// `variants` are their names, in the order of their numbers; `most` is the maximum number of samples.
  /// Allocates.
  Samples(std::vector<std::string> variants, std::uint64_t most);

  /// Adds a sample. Neither allocates nor blocks. If there is no room, the sample is only counted.
  void add(const SampleRow & row) noexcept;
  /// Writes NAME.samples.npy and NAME.json in the folder of the arguments. `more` is merged into the JSON.
  /// Throws Error.
  void write(const std::string & name, const BenchmarkArguments & arguments,
             const executor::Grants & grants,
             const nlohmann::ordered_json & more = nlohmann::ordered_json::object()) const;
  const std::vector<SampleRow> & rows() const noexcept { return rows_; }

 private:
  std::vector<std::string> variants_;
  std::vector<SampleRow> rows_;
  std::uint64_t dropped_ = 0;
};

/// Throws Error unless threads may have the real-time priorities of the plan, which benchmarks of
/// preemption need.
void demand_realtime();

/// Returns the order of `count` variants in a round: each round begins with the next variant. Allocates.
std::vector<std::size_t> turns(std::uint32_t round, std::size_t count);

}  // namespace takt::lab
