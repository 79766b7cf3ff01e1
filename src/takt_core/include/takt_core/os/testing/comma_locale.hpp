// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

namespace takt::os::testing {

/// While an object of this class exists, the process writes 1234.5 as `1.234,5`, in C and in C++.
class CommaLocale {
 public:
  CommaLocale() : before_(std::setlocale(LC_ALL, nullptr)), cpp_before_(std::locale()) {
    std::locale::global(std::locale(std::locale::classic(), new Punctuation));
    holds_ = set();
    if (holds_) return;
    static const Made made;  // creating it takes seconds
    setenv("LOCPATH", made.folder.c_str(), 1);
    holds_ = set();
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, before_.c_str());
    std::locale::global(cpp_before_);
    unsetenv("LOCPATH");
  }
  CommaLocale(const CommaLocale &) = delete;
  CommaLocale & operator=(const CommaLocale &) = delete;

  /// Whether the locale is in use. False if the host has none and cannot create one.
  bool holds() const noexcept { return holds_; }
  static constexpr const char * why_not = "no German locale, and no localedef that makes one";

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  /// A locale created by the test, which exists until the process ends.
  struct Made {
    Made() {
      const std::string command =
          "localedef --no-archive -i de_DE -f UTF-8 " + folder + "/de_DE.UTF-8 > /dev/null 2>&1";
      std::filesystem::create_directory(folder);
      // localedef warns of definitions that German lacks, with an exit status of its own.
      static_cast<void>(std::system(command.c_str()));
    }
    ~Made() { std::filesystem::remove_all(folder); }
    Made(const Made &) = delete;
    Made & operator=(const Made &) = delete;

    const std::string folder =
        std::filesystem::temp_directory_path() / ("takt_comma_locale." + std::to_string(getpid()));
  };

  static bool set() { return std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr; }

  const std::string before_;
  const std::locale cpp_before_;
  bool holds_ = false;
};

}  // namespace takt::os::testing
