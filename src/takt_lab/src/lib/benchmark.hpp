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

/// What every benchmark is told: variants of one thing take turns over rounds, so that whatever the
/// host does meets all of them.
struct BenchmarkArguments {
  int cpu = 0;
  std::uint32_t rounds = 5;
  /// Of one variant in one round, ns.
  model::Duration turn = 200'000'000;
  std::uint64_t samples = 4'000'000;
  std::string out;
};

void add_options(CommandLine & line, BenchmarkArguments & arguments);

/// The figures of a benchmark, in memory reserved beforehand. One thread at a time.
class Samples {
 public:
  /// `variants`: their names, in the order of their numbers. Allocates.
  Samples(std::vector<std::string> variants, std::uint64_t most);

  /// Neither allocates nor blocks; what finds no room is counted.
  void add(const SampleRow & row) noexcept;
  /// NAME.samples.npy and NAME.json in the folder of the arguments. `more` joins the JSON. Throws
  /// Error.
  void write(const std::string & name, const BenchmarkArguments & arguments,
             const executor::Grants & grants,
             const nlohmann::ordered_json & more = nlohmann::ordered_json::object()) const;
  const std::vector<SampleRow> & rows() const noexcept { return rows_; }

 private:
  std::vector<std::string> variants_;
  std::vector<SampleRow> rows_;
  std::uint64_t dropped_ = 0;
};

/// Throws Error unless a thread may have the priorities of the plan: for what measures preemption.
void demand_realtime();

/// The order in which `count` take their turns in a round: each round begins with another. Allocates.
std::vector<std::size_t> turns(std::uint32_t round, std::size_t count);

}  // namespace takt::lab
