// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>

namespace takt::lab {
namespace {

int fail(const CLI::App & app, std::string what, int status) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), what.c_str());
  return status;
}

/// Rejects integers below `least`. Text that is no number is rejected by the option itself.
CLI::Validator at_least(long long least, const std::string & wish) {
  return {[least, wish](std::string & text) {
            long long value = 0;
            const bool wrong = CLI::detail::lexical_cast(text, value) && value < least;
            return wrong ? "must be " + wish + ", not " + text : std::string();
          },
          wish};
}

}  // namespace

CommandLine::CommandLine(const std::string & name, const std::string & description)
    : app_(std::make_unique<CLI::App>(description, name)) {}

CommandLine::~CommandLine() = default;

template <typename T>
CommandLine::Option CommandLine::option(const std::string & name, T & value,
                                        const std::string & help) {
  return Option(*app_->add_option(name, value, help));
}
template CommandLine::Option CommandLine::option(const std::string &, int &, const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::int64_t &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::uint32_t &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::uint64_t &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::string &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &,
                                                 std::optional<std::uint32_t> &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::optional<std::size_t> &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::vector<int> &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::vector<std::uint32_t> &,
                                                 const std::string &);
template CommandLine::Option CommandLine::option(const std::string &, std::vector<std::uint64_t> &,
                                                 const std::string &);

CommandLine::Option CommandLine::flag(const std::string & name, bool & value,
                                      const std::string & help) {
  return Option(*app_->add_flag(name, value, help));
}

void CommandLine::only(const std::string & name, const std::function<void()> & act,
                       const std::string & help) {
  const auto act_and_end = [act] {
    act();
    throw CLI::Success();
  };
  app_->add_flag_callback(name, act_and_end, help);
}

int CommandLine::run(int argc, char ** argv, const std::function<void()> & body) {
  try {
    app_->parse(argc, argv);
    body();
    return 0;
  } catch (const CLI::Success & success) {
    return app_->exit(success);
  } catch (const CLI::ParseError & error) {
    return fail(*app_, std::string(error.what()) + "; see --help", 2);
  } catch (const std::exception & error) {
    return fail(*app_, error.what(), 1);
  }
}

CommandLine::Option & CommandLine::Option::required() {
  option_.required();
  return *this;
}
CommandLine::Option & CommandLine::Option::above_zero() {
  option_.check(at_least(1, "above 0"));
  return *this;
}
CommandLine::Option & CommandLine::Option::not_negative() {
  option_.check(at_least(0, "0 or more"));
  return *this;
}
CommandLine::Option & CommandLine::Option::within(int least, int most) {
  option_.check(CLI::Range(least, most));
  return *this;
}
CommandLine::Option & CommandLine::Option::one_of(const std::vector<std::string> & words) {
  option_.check(CLI::IsMember(words));
  return *this;
}
CommandLine::Option & CommandLine::Option::separated_by(char separator) {
  option_.delimiter(separator);
  return *this;
}
CommandLine::Option & CommandLine::Option::shows_default() {
  option_.capture_default_str();
  return *this;
}
CommandLine::Option & CommandLine::Option::shows_default(const std::string & text) {
  option_.default_str(text);
  return *this;
}

}  // namespace takt::lab
