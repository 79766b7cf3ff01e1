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

/// The command line of a program. CLI11 parses it, and is included by command_line.cpp alone: it
/// would be compiled for ten seconds in every program.
class CommandLine {
 public:
  class Option;

  CommandLine(const std::string & name, const std::string & description);
  CommandLine(const CommandLine &) = delete;
  CommandLine & operator=(const CommandLine &) = delete;
  ~CommandLine();

  /// An option that takes a value, or several where `value` is a vector. T is one of the types that
  /// command_line.cpp lists. `value` is written by run(), and left alone if the option is not given.
  template <typename T>
  Option option(const std::string & name, T & value, const std::string & help);
  Option flag(const std::string & name, bool & value, const std::string & help);
  /// With this flag the program does that alone.
  void only(const std::string & name, const std::function<void()> & act, const std::string & help);

  /// The frame of a program: parses, runs `body` and returns the exit status: 0, 1 if the body threw,
  /// 2 for a wrong command line. Any error is one line on standard error that begins with the
  /// program's name.
  int run(int argc, char ** argv, const std::function<void()> & body);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// What is asked of an option. It says what it wants where it is refused, and in the help.
class CommandLine::Option {
 public:
  explicit Option(CLI::Option & option) : option_(option) {}

  Option & required();
  Option & above_zero();
  Option & not_negative();
  Option & within(int least, int most);
  Option & one_of(const std::vector<std::string> & words);
  /// Of several values in one word.
  Option & separated_by(char separator);
  /// The help shows the value that there is now, or this text.
  Option & shows_default();
  Option & shows_default(const std::string & text);

 private:
  CLI::Option & option_;
};

}  // namespace takt::lab
