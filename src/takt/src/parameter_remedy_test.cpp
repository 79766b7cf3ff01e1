// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_remedy.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace takt::detail {
namespace {

TEST(ParameterRemedyTest, WhatIsMeantIsWrittenAsItsType) {
  struct Case {
    ParameterValue value;
    ParameterType wanted;
    const char * written;
  };
  using Ints = std::vector<int>;
  using Doubles = std::vector<double>;
  using Strings = std::vector<std::string>;
  for (const Case & c : std::vector<Case>{
           {ParameterValue(2), PARAMETER_DOUBLE, "2.0"},
           {ParameterValue("1,5"), PARAMETER_DOUBLE, "1.5"},
           {ParameterValue("1.5"), PARAMETER_DOUBLE, "1.5"},
           {ParameterValue("1,5 m"), PARAMETER_DOUBLE, ""},
           {ParameterValue(true), PARAMETER_DOUBLE, ""},
           {ParameterValue(2.0), PARAMETER_INTEGER, "2"},
           {ParameterValue(2.5), PARAMETER_INTEGER, ""},
           {ParameterValue("7"), PARAMETER_INTEGER, "7"},
           {ParameterValue(1), PARAMETER_BOOL, "true"},
           {ParameterValue(2), PARAMETER_BOOL, ""},
           {ParameterValue(3), PARAMETER_STRING, "'3'"},
           {ParameterValue(false), PARAMETER_STRING, "'false'"},
           {ParameterValue(Ints{1, 2}), PARAMETER_DOUBLE_ARRAY, "[1.0, 2.0]"},
           {ParameterValue(Doubles{1, 2.5}), PARAMETER_INTEGER_ARRAY, ""},
           {ParameterValue(Ints{1, 2}), PARAMETER_STRING_ARRAY, "['1', '2']"},
           {ParameterValue(0.5), PARAMETER_DOUBLE_ARRAY, "[0.5]"},
           {ParameterValue(1), PARAMETER_DOUBLE_ARRAY, "[1.0]"},
           {ParameterValue(Strings{"a"}), PARAMETER_STRING, ""},
           {ParameterValue(), PARAMETER_DOUBLE, ""},
       }) {
    EXPECT_EQ(written_as(c.value, c.wanted), c.written)
        << to_string(c.value) << " as " << to_string(c.wanted);
  }
}

}  // namespace
}  // namespace takt::detail
