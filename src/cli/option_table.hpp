// The options of one command, declared line by line.  This thin layer over CLI11 keeps the library out of the commands,
// whose files would otherwise each take long to compile, and gives help and error messages one style.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/option.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
class Option;
}  // namespace CLI

namespace cohort::cli {

// How an option is called, what stands for its value in help, and what it does.
struct OptionText {
  std::string names;  // "-n,--threads"
  std::string value;  // "N"; empty for flags
  std::string description;
};

class OptionTable {
 public:
  explicit OptionTable(CLI::App& app) : app_(app) {}

  // The heading in help of the options declared from here on.
  void group(const std::string& name) { group_ = name; }

  // An option of an owner's table; `given` hears of it when it is on the command line, whatever its value.  `remark`
  // goes behind the description.  A text that `takes` accepts is not the option's: it has been taken care of.
  using Taker = std::function<bool(const std::string&)>;
  void add(const option::Reference& option, std::vector<option::Reference>& given, const std::string& remark = "",
           const Taker& takes = {});
  // All options of a table.
  template <class T>
  void add_all(T& values, std::vector<option::Reference>& given) {
    for (const option::Reference& option : option::options_of(values)) add(option, given);
  }
  template <class T>
  void add_all(T& values) {
    for (const option::Reference& option : option::options_of(values)) add(option);
  }
  void add(const option::Reference& option);

  // Required, by its place.
  void argument(const std::string& name, std::string& value, const std::string& description);
  void flag(const std::string& names, bool& value, const std::string& description);
  // Makes `value` false.
  void off_flag(const std::string& names, bool& value, const std::string& description);
  void text(const OptionText& option, std::string& value);
  void required_text(const OptionText& option, std::string& value);
  void text(const OptionText& option, std::optional<std::string>& value);
  // May be given several times; with `separator`, one value may hold several.
  void texts(const OptionText& option, std::vector<std::string>& values, std::optional<char> separator = std::nullopt);
  void choice(const OptionText& option, std::string& value, const std::vector<std::string>& choices);
  void number(const OptionText& option, std::optional<double>& value);
  void number(const OptionText& option, std::optional<std::uint64_t>& value);
  // Help shows the value as the default.
  void number(const OptionText& option, std::uint64_t& value);
  // A number of threads: positive.
  void threads(const OptionText& option, std::optional<std::uint32_t>& value);
  void threads(const OptionText& option, std::uint32_t& value);
  // `parse` throws UsageError for what it cannot take.
  void parsed(const OptionText& option, const std::function<void(const std::string&)>& parse);

  // Another way to give an option this value.
  void shorthand(const std::string& names, const option::Reference& option, const std::string& text,
                 std::vector<option::Reference>& given, const std::string& description);

  // Called once the command line has been read.
  void when_parsed(const std::function<void()>& action);

  // The two options, by their long names, may not be given together.
  void exclude(const std::string& one, const std::string& other);

 private:
  void add_with(const option::Reference& option, const std::function<void()>& hear, const std::string& remark,
                const Taker& takes);
  CLI::Option* finish(CLI::Option* option, const OptionText& text);

  CLI::App& app_;
  std::string group_ = "Options";
};

}  // namespace cohort::cli
