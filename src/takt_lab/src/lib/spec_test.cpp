// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "spec.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <takt_core/model/job.hpp>

#include "error.hpp"

namespace takt::lab {
namespace {

using Json = nlohmann::json;

Json example() {
  return Json::parse(R"({
    "schema_version": 1, "name": "three", "policy": "fp",
    "qos": {"reliability": "reliable", "depth": 4},
    "topics": [{"name": "a", "size": 512, "external": false},
               {"name": "b", "size": 0, "external": true}],
    "nodes": [
      {"name": "n0", "group": "exclusive", "callbacks": [
        {"name": "t", "period_ns": 10000000, "phase_ns": 0, "deadline_ns": 10000000, "priority": 98,
         "wcet_ns": 1000000, "queue": 0, "reads": [], "max_age_ns": [], "on_stale": null,
         "extra_releases": true, "budget_ns": 7, "on_budget": "report", "publishes": [0]},
        {"name": "u", "period_ns": 20000000, "phase_ns": 5, "deadline_ns": 30000000, "priority": 1,
         "wcet_ns": 0, "queue": 2, "processor": 3, "reads": [0, 1], "max_age_ns": [40, 0], "on_stale": "skip",
         "extra_releases": false, "budget_ns": 0, "on_budget": "report", "publishes": []}]},
      {"name": "n1", "group": "reentrant", "callbacks": [
        {"name": "t", "period_ns": 1, "phase_ns": 0, "deadline_ns": 1, "priority": 5,
         "wcet_ns": 1, "queue": 0, "reads": [1], "max_age_ns": [0], "on_stale": null,
         "extra_releases": false, "budget_ns": 9, "on_budget": "background", "publishes": []}]}]})");
}

TEST(SpecTest, IsReadWhole) {
  const Spec spec = parse_spec(example().dump(), "x.json");
  EXPECT_EQ(spec.name, "three");
  EXPECT_EQ(spec.policy, "fp");
  EXPECT_TRUE(spec.qos.reliable);
  EXPECT_EQ(spec.qos.depth, 4u);
  ASSERT_EQ(spec.topics.size(), 2u);
  EXPECT_EQ(spec.topics[0].size, 512u);
  EXPECT_TRUE(spec.topics[1].external);
  ASSERT_EQ(spec.nodes.size(), 2u);
  EXPECT_TRUE(spec.nodes[0].exclusive);
  EXPECT_FALSE(spec.nodes[1].exclusive);
  const auto tasks = spec.tasks();
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[2].index, 2u);
  EXPECT_EQ(tasks[2].node, 1u);
  EXPECT_EQ(tasks[2].id, "n1/t");
  EXPECT_EQ(tasks[1].callback->reads, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(tasks[1].callback->phase, 5);
  EXPECT_EQ(tasks[1].callback->queue, 2u);
  EXPECT_FALSE(tasks[0].callback->processor);
  EXPECT_EQ(tasks[1].callback->processor, 3u);
  EXPECT_EQ(tasks[1].callback->max_ages, (std::vector<model::Duration>{40, model::never}));
  EXPECT_EQ(tasks[1].callback->on_stale, model::OnStale::skip);
  EXPECT_FALSE(tasks[2].callback->on_stale.has_value());
  EXPECT_TRUE(tasks[0].callback->extra_releases);
  EXPECT_EQ(tasks[0].callback->budget, 7);
  EXPECT_EQ(tasks[1].callback->budget, model::never);
  EXPECT_EQ(tasks[1].callback->on_budget, model::OnBudget::report);
  EXPECT_EQ(tasks[2].callback->on_budget, model::OnBudget::background);
}

TEST(SpecTest, ReadersAskForAsManyExtraJobsAsTheyHave) {
  Json json = example();
  const Spec spec = parse_spec(json.dump(), "x.json");
  const auto tasks = spec.tasks();
  EXPECT_EQ(spec.extra_jobs(*tasks[0].callback, 100'000'000), 5u);
  EXPECT_EQ(spec.extra_jobs(*tasks[1].callback, 100'000'000), 0u);
}

TEST(SpecTest, AnOverloadIsOfJobsReleasedInIt) {
  Json json = example();
  EXPECT_EQ(parse_spec(json.dump(), "x.json").overload.factor, 1);
  json["overload"] = {{"from_ns", 20'000'005}, {"to_ns", 40'000'005}, {"factor", 2.5}};
  const Spec spec = parse_spec(json.dump(), "x.json");
  const auto tasks = spec.tasks();
  const auto work = [&](std::size_t task, std::uint64_t index) {
    return spec.work(*tasks[task].callback, index);
  };
  EXPECT_EQ(work(0, 2), 1'000'000) << "released at 20 ms, before the overload";
  EXPECT_EQ(work(0, 3), 2'500'000);
  EXPECT_EQ(work(0, 4), 2'500'000) << "released at 40 ms, in the overload";
  EXPECT_EQ(work(0, 5), 1'000'000);
  EXPECT_EQ(spec.work(*tasks[2].callback, 20'000'005), 3) << "2.5 ns, rounded up";
  EXPECT_EQ(spec.work(*tasks[2].callback, 40'000'005), 1);
  EXPECT_EQ(work(0, model::first_extra_job + 3), 1'000'000) << "an extra job takes its WCET";
}

std::string error_of(const std::string & text) {
  try {
    parse_spec(text, "x.json");
  } catch (const Error & error) {
    return error.what();
  }
  return "no error";
}

TEST(SpecTest, AnErrorNamesFileAndKey) {
  const struct {
    const char * pointer;
    Json value;
    std::string message;
  } cases[] = {
      {"/schema_version", 2, "x.json: spec.schema_version: must be an integer from 1 to 1"},
      {"/name", "", "x.json: spec.name: must be a non-empty string"},
      {"/qos/reliability", "good",
       "x.json: spec.qos.reliability: must be 'best_effort' or 'reliable', not 'good'"},
      {"/topics/1/name", "a", "x.json: spec.topics[1].name: 'a' is used twice"},
      {"/topics/0/external", 1, "x.json: spec.topics[0].external: must be true or false"},
      {"/nodes/1/name", "n0", "x.json: spec.nodes[1].name: 'n0' is used twice"},
      {"/nodes/0/callbacks/1/name", "t",
       "x.json: spec.nodes[0].callbacks[1].name: 't' is used twice in this node"},
      {"/nodes/0/callbacks/0/reads", Json::array({2}),
       "x.json: spec.nodes[0].callbacks[0].reads[0]: must be an integer from 0 to 1"},
      {"/nodes/0/callbacks/0/reads", Json::array({1, 1}),
       "x.json: spec.nodes[0].callbacks[0].reads[1]: names a topic a second time"},
      {"/nodes/0/callbacks/0/publishes", Json::array({1}),
       "x.json: spec.nodes[0].callbacks[0].publishes: names the external topic 'b'"},
      {"/nodes/0/callbacks/1/max_age_ns", Json::array({1}),
       "x.json: spec.nodes[0].callbacks[1].max_age_ns: must have an entry for each of 'reads'"},
      {"/nodes/0/callbacks/1/on_stale", "refresh",
       "x.json: spec.nodes[0].callbacks[1].on_stale: must be 'report' or 'skip', not 'refresh'"},
      {"/nodes/0/callbacks/1/budget_ns", -1,
       "x.json: spec.nodes[0].callbacks[1].budget_ns: must be an integer from 0 to " +
           std::to_string(1'000'000'000LL * 86'400 * 30)},
      {"/nodes/0/callbacks/1/on_budget", "background",
       "x.json: spec.nodes: scheduler: task 'n0/u' may go on in the background, and 'n0/t' of its "
       "exclusive group would wait for it: give it a group of its own, or a reentrant one"},
      {"/nodes/0/callbacks/1/publishes", Json::array({0}),
       "x.json: spec.nodes: scheduler: task 'n0/u' would be refreshed to refresh itself: drop a "
       "max_age of the circle"},
      {"/nodes/0/callbacks/0/deadline_ns", 10000001,
       "x.json: spec.nodes[0].callbacks[0].deadline_ns: is above period_ns, which needs queue "
       "above 0"},
      {"/nodes/0/callbacks/0/priority", 99,
       "x.json: spec.nodes[0].callbacks[0].priority: must be an integer from 1 to 98"},
      {"/nodes/0/callbacks/0/wcet_ns", 1.5,
       "x.json: spec.nodes[0].callbacks[0].wcet_ns: must be an integer from 0 to "
       "2592000000000000"},
      {"/overload",
       {{"from_ns", 5}, {"to_ns", 4}, {"factor", 2}},
       "x.json: spec.overload.to_ns: must be an integer from 5 to 2592000000000000"},
      {"/overload",
       {{"from_ns", 5}, {"to_ns", 6}, {"factor", -1}},
       "x.json: spec.overload.factor: must be a number from 0.000000 to 1000.000000"},
      {"/nodes", Json::array(), "x.json: spec.nodes: must hold at least one callback"},
      {"/nodes", 3, "x.json: spec.nodes: must be a list"},
  };
  for (const auto & item : cases) {
    Json spec = example();
    spec[Json::json_pointer(item.pointer)] = item.value;
    EXPECT_EQ(error_of(spec.dump()), item.message);
  }
}

TEST(SpecTest, AMissingKeyAnywhereIsNamed) {
  const Json flat = example().flatten();
  for (const auto & [pointer, value] : flat.items()) {
    const auto slash = pointer.rfind('/');
    const std::string key = pointer.substr(slash + 1);
    const Json::json_pointer parent(pointer.substr(0, slash));
    Json spec = example();
    if (!spec[parent].is_object() || key == "processor") continue;
    spec[parent].erase(key);
    EXPECT_NE(error_of(spec.dump()).find("'" + key + "' is missing"), std::string::npos) << pointer;
  }
}

TEST(SpecTest, WhatIsNotJsonIsSaidSo) {
  EXPECT_EQ(error_of("{\"a\": }"), "x.json: is not JSON (at byte 7)");
  EXPECT_EQ(error_of("[]"), "x.json: spec: must be an object");
  EXPECT_THROW(read_spec("/no/such/resolved.json"), Error);
}

}  // namespace
}  // namespace takt::lab
