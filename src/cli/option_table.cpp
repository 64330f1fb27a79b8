#include "cli/option_table.hpp"

#include <CLI/CLI.hpp>

#include "cli/usage_error.hpp"

namespace cohort::cli {

namespace {

// The interpreter numbers threads with 32 bits, and nobody has more than a million.
const std::uint32_t most_threads = 1U << 20U;

}  // namespace

CLI::Option* OptionTable::finish(CLI::Option* option, const OptionText& text) {
  return option->type_name(text.value)->group(group_);
}

void OptionTable::add(const option::Reference& option) {
  add_with(option, {}, "", {});
}

void OptionTable::add(const option::Reference& option, std::vector<option::Reference>& given, const std::string& remark,
                      const Taker& takes) {
  add_with(
      option, [&given, option] { given.push_back(option); }, remark, takes);
}

void OptionTable::add_with(const option::Reference& option, const std::function<void()>& hear,
                           const std::string& remark, const Taker& takes) {
  const option::Descriptor& descriptor = option.descriptor();
  const OptionText text{descriptor.names, descriptor.value,
                        descriptor.description + (remark.empty() ? "" : " (" + remark + ")")};
  const auto take = [option, hear, takes](const std::string& written) {
    try {
      if (!takes || !takes(written)) option.parse(written);
    } catch (const option::Refused& refused) {
      throw CLI::ValidationError(option.descriptor().long_name(), refused.what());
    }
    if (hear) hear();
  };
  if (descriptor.kind == option::Kind::Switch) {
    app_.add_flag_callback(
            text.names, [take] { take(""); }, text.description)
        ->group(group_);
    return;
  }
  // A word that may be left out.  CLI11 counts a flag, and takes `no` as one that is given a negative number of times.
  if (descriptor.value.starts_with("[=")) {
    app_.add_flag_function(
            text.names, [take](std::int64_t count) { take(count > 0 ? "yes" : "no"); }, text.description)
        ->group(group_);
    return;
  }
  if (descriptor.kind == option::Kind::Valued) {
    CLI::Option* declared = finish(app_.add_option_function<std::string>(text.names, take, text.description), text);
    if (const std::string usual = option::to_string(descriptor.usual); !usual.empty()) declared->default_str(usual);
    return;
  }
  const auto take_all = [take](const std::vector<std::string>& all) {
    for (const std::string& written : all) take(written);
  };
  CLI::Option* declared =
      finish(app_.add_option_function<std::vector<std::string>>(text.names, take_all, text.description), text);
  if (descriptor.separator) declared->delimiter(*descriptor.separator);
  if (text.names.starts_with('-')) declared->allow_extra_args(false);
}

void OptionTable::argument(const std::string& name, std::string& value, const std::string& description) {
  app_.add_option(name, value, description)->required();
}

void OptionTable::flag(const std::string& names, bool& value, const std::string& description) {
  app_.add_flag(names, value, description)->group(group_);
}

void OptionTable::off_flag(const std::string& names, bool& value, const std::string& description) {
  app_.add_flag_callback(
          names, [&value] { value = false; }, description)
      ->group(group_);
}

void OptionTable::text(const OptionText& option, std::string& value) {
  finish(app_.add_option(option.names, value, option.description), option);
}

void OptionTable::required_text(const OptionText& option, std::string& value) {
  finish(app_.add_option(option.names, value, option.description), option)->required();
}

void OptionTable::text(const OptionText& option, std::optional<std::string>& value) {
  finish(app_.add_option(option.names, value, option.description), option);
}

void OptionTable::texts(const OptionText& option, std::vector<std::string>& values, std::optional<char> separator) {
  CLI::Option* declared = finish(app_.add_option(option.names, values, option.description), option);
  declared->allow_extra_args(false);
  if (separator) declared->delimiter(*separator);
}

void OptionTable::choice(const OptionText& option, std::string& value, const std::vector<std::string>& choices) {
  finish(app_.add_option(option.names, value, option.description), option)
      ->check(CLI::IsMember(choices).description(""));
}

void OptionTable::number(const OptionText& option, std::optional<double>& value) {
  finish(app_.add_option(option.names, value, option.description), option)->check([](const std::string& text) {
    double number = 0;
    // Written so that it refuses what is no number at all.
    return CLI::detail::lexical_cast(text, number) && number >= 0 ? "" : text + " is not a positive number";
  });
}

void OptionTable::number(const OptionText& option, std::optional<std::uint64_t>& value) {
  finish(app_.add_option(option.names, value, option.description), option);
}

void OptionTable::number(const OptionText& option, std::uint64_t& value) {
  finish(app_.add_option(option.names, value, option.description), option)->capture_default_str();
}

void OptionTable::threads(const OptionText& option, std::optional<std::uint32_t>& value) {
  finish(app_.add_option(option.names, value, option.description), option)
      ->check(CLI::Range(1U, most_threads).description(""));
}

void OptionTable::threads(const OptionText& option, std::uint32_t& value) {
  finish(app_.add_option(option.names, value, option.description), option)
      ->check(CLI::Range(1U, most_threads).description(""))
      ->capture_default_str();
}

void OptionTable::parsed(const OptionText& option, const std::function<void(const std::string&)>& parse) {
  const auto checked = [parse, names = option.names](const std::string& text) {
    try {
      parse(text);
    } catch (const UsageError& error) {
      throw CLI::ValidationError(names, error.what());
    }
  };
  finish(app_.add_option_function<std::string>(option.names, checked, option.description), option);
}

void OptionTable::shorthand(const std::string& names, const option::Reference& option, const std::string& text,
                            std::vector<option::Reference>& given, const std::string& description) {
  const auto take = [option, text, &given] {
    option.parse(text);
    given.push_back(option);
  };
  app_.add_flag_callback(names, take, description)->group(group_);
}

void OptionTable::when_parsed(const std::function<void()>& action) {
  app_.final_callback(action);
}

void OptionTable::exclude(const std::string& one, const std::string& other) {
  app_.get_option(one)->excludes(app_.get_option(other));
}

}  // namespace cohort::cli
