// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_overrides.hpp"

#include <gtest/gtest.h>
#include <rcl_yaml_param_parser/parser.h>

#include <memory>
#include <string>
#include <vector>

namespace takt::detail {
namespace {

TEST(NamesNodeTest, WildcardsStandForPartsOfTheName) {
  struct Case {
    const char * pattern;
    const char * name;
    bool matches;
  };
  for (const Case & c : std::vector<Case>{
           {"/node", "/node", true},
           {"node", "/node", true},
           {"/node", "/other", false},
           {"/node", "/ns/node", false},
           {"/ns/node", "/ns/node", true},
           {"/*", "/node", true},
           {"/*", "/ns/node", false},
           {"/*/node", "/ns/node", true},
           {"/**", "/node", true},
           {"/**", "/a/b/node", true},
           {"/**/node", "/node", true},
           {"/**/node", "/a/b/node", true},
           {"/**/node", "/a/b/other", false},
           {"/a/**", "/a/b/node", true},
           {"/a/**", "/b/node", false},
           {"/**/b/*", "/a/b/node", true},
           {"/**/b/*", "/a/b/c/node", false},
           {"/**/b/**", "/b/b/node", true},
           {"/no", "/node", false},
       }) {
    EXPECT_EQ(names_node(c.pattern, c.name), c.matches) << c.pattern << " " << c.name;
  }
}

class OverridesTest : public ::testing::Test {
 protected:
  void add(const char * node, const char * name, const char * yaml) {
    ASSERT_TRUE(rcl_parse_yaml_value(node, name, yaml, parameters_.get()));
  }
  ParameterMap of(const char * node) const {
    ParameterMap result;
    add_overrides(*parameters_, node, result);
    return result;
  }

 private:
  std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> parameters_{
      rcl_yaml_node_struct_init(rcutils_get_default_allocator()), rcl_yaml_node_struct_fini};
};

TEST_F(OverridesTest, EveryTypeOfYamlArrives) {
  add("/n", "b", "true");
  add("/n", "i", "-3");
  add("/n", "d", "2.5");
  add("/n", "s", "text");
  add("/n", "bs", "[true, false]");
  add("/n", "is", "[1, 2]");
  add("/n", "ds", "[0.5]");
  add("/n", "ss", "[a, b]");
  add("/n", "deep.name", "1");
  const ParameterMap found = of("/n");
  EXPECT_EQ(found.at("b"), ParameterValue(true));
  EXPECT_EQ(found.at("i"), ParameterValue(-3));
  EXPECT_EQ(found.at("d"), ParameterValue(2.5));
  EXPECT_EQ(found.at("s"), ParameterValue("text"));
  EXPECT_EQ(found.at("bs"), ParameterValue(std::vector<bool>{true, false}));
  EXPECT_EQ(found.at("is"), ParameterValue(std::vector<int>{1, 2}));
  EXPECT_EQ(found.at("ds"), ParameterValue(std::vector<double>{0.5}));
  EXPECT_EQ(found.at("ss"), ParameterValue(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(found.at("deep.name"), ParameterValue(1));
  EXPECT_TRUE(of("/m").empty());
}

TEST_F(OverridesTest, TheLaterEntryWins) {
  add("/**", "x", "1");
  add("/**", "y", "1");
  add("/n", "x", "2");
  EXPECT_EQ(of("/n"), (ParameterMap{{"x", ParameterValue(2)}, {"y", ParameterValue(1)}}));
  EXPECT_EQ(of("/m"), (ParameterMap{{"x", ParameterValue(1)}, {"y", ParameterValue(1)}}));
}

}  // namespace
}  // namespace takt::detail
