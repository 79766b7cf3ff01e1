// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace takt::lab {

/// The command line of a program, parsed by CLI11. Only command_line.cpp includes CLI11, because it takes
/// ten seconds to compile.
class CommandLine {
 public:
  class Option;

  CommandLine(const std::string & name, const std::string & description);
  CommandLine(const CommandLine &) = delete;
  CommandLine & operator=(const CommandLine &) = delete;
  ~CommandLine();

  /// Adds an option that takes a value, or several values if `value` is a vector. T must be one of the
  /// types that command_line.cpp lists. run() writes to `value` if the option is given.
  template <typename T>
  Option option(const std::string & name, T & value, const std::string & help);
  Option flag(const std::string & name, bool & value, const std::string & help);
  /// Adds a flag that makes the program only call `act`.
  void only(const std::string & name, const std::function<void()> & act, const std::string & help);

  /// Parses the command line, calls `body` and returns the exit status: 0, 1 if `body` threw an exception,
  /// 2 for an invalid command line. Each error is printed as one line on standard error that begins with
  /// the program's name.
  int run(int argc, char ** argv, const std::function<void()> & body);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// The requirements of an option. They are stated in error messages and in the help.
class CommandLine::Option {
 public:
  explicit Option(CLI::Option & option) : option_(option) {}

  Option & required();
  Option & above_zero();
  Option & not_negative();
  Option & within(int least, int most);
  Option & one_of(const std::vector<std::string> & words);
  /// Accepts several values in one argument, separated by this character.
  Option & separated_by(char separator);
  /// Make the help show the variable's current value, or this text, as the default.
  Option & shows_default();
  Option & shows_default(const std::string & text);

 private:
  CLI::Option & option_;
};

}  // namespace takt::lab
