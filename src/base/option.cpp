#include "base/option.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>
#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::option {

namespace {

// What describe() is collecting; only while it constructs one struct.
struct Recorder {
  const void* base = nullptr;
  std::vector<Descriptor> found;
};

thread_local Recorder* recorder = nullptr;

class Recording {
 public:
  explicit Recording(Recorder& current) : before_(recorder) { recorder = &current; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { recorder = before_; }

 private:
  Recorder* before_;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> names_of(const Descriptor& descriptor) {
  return split(descriptor.names, ',');
}

// Options that documents have as they are stored: T is one of the alternatives of Value, or an optional one.
template <class T>
Descriptor plain(Text text, Kind kind, const T& usual) {
  using Inner = typename detail::Inner<T>::Type;
  Descriptor descriptor = detail::describe_text(text, kind);
  descriptor.usual = detail::to_value(usual);
  descriptor.get = [](const void* member) { return detail::to_value(*static_cast<const T*>(member)); };
  descriptor.set = [usual](void* member, const Value& value) {
    if (detail::IsOptional<T>::value && std::holds_alternative<std::monostate>(value)) {
      *static_cast<T*>(member) = usual;
    } else {
      *static_cast<T*>(member) = detail::expect_stored<Inner>(value);
    }
  };
  return descriptor;
}

}  // namespace

std::string to_string(const Value& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool on) const { return on ? "true" : "false"; }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& texts) const {
      return fmt::format("{}", fmt::join(texts, ","));
    }
  };
  return std::visit(Writer(), value);
}

std::string Descriptor::long_name() const {
  for (const std::string& name : names_of(*this)) {
    if (name.starts_with("--")) return name;
  }
  return first_name();
}

std::string Descriptor::first_name() const {
  return names_of(*this).front();
}

Reference::Reference(const Descriptor& descriptor, void* owner)
    : descriptor_(&descriptor), member_(static_cast<std::byte*>(owner) + descriptor.offset) {}

bool Members::contain(const Reference& option) const {
  const auto* const place = static_cast<const std::byte*>(option.member());
  return std::any_of(ranges_.begin(), ranges_.end(), [place](const auto& range) {
    const std::less<const std::byte*> before;
    return !before(place, static_cast<const std::byte*>(range.first)) &&
           before(place, static_cast<const std::byte*>(range.second));
  });
}

std::vector<Descriptor> record(const void* base, const std::function<void()>& make) {
  Recorder current{base, {}};
  {
    const Recording recording(current);
    make();
  }
  for (const Descriptor& descriptor : current.found) {
    COHORT_EXPECT(descriptor.offset >= 0, "an option is a member of its owner's struct");
    const auto same_key = [&](const Descriptor& other) { return other.key == descriptor.key; };
    COHORT_EXPECT(std::count_if(current.found.begin(), current.found.end(), same_key) == 1,
                  "the options of an owner have different names");
  }
  return std::move(current.found);
}

namespace detail {

bool recording() {
  return recorder != nullptr;
}

void note(Descriptor descriptor, const void* member) {
  COHORT_EXPECT(recorder != nullptr, "options are noted while a struct is described");
  descriptor.offset = static_cast<const std::byte*>(member) - static_cast<const std::byte*>(recorder->base);
  recorder->found.push_back(std::move(descriptor));
}

Descriptor describe_text(Text text, Kind kind) {
  Descriptor descriptor{.names = text.names, .value = text.value, .description = text.description, .key = text.key};
  descriptor.kind = kind;
  if (descriptor.key.empty()) {
    descriptor.key = descriptor.long_name();
    descriptor.key.erase(0, descriptor.key.find_first_not_of('-'));
    std::replace(descriptor.key.begin(), descriptor.key.end(), '-', '_');
  }
  return descriptor;
}

std::uint64_t parse_number(const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && number >= least && number <= most) return number;
  throw Refused(fmt::format("'{}' is not a whole number from {} to {}", text, least, most));
}

double parse_seconds(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && number >= 0 && std::isfinite(number)) return number;
  throw Refused(fmt::format("'{}' is not a number of seconds", text));
}

Value number_or_text(const std::string& written) {
  if (written.empty()) return {};
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number);
  if (error == std::errc() && end == written.data() + written.size()) return number;
  return written;
}

std::string text_or_number(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return expect_stored<std::string>(value);
}

void refuse_word(const std::string& text, const std::vector<std::string>& words) {
  const auto is_near = [&](const std::string& word) {
    return !text.empty() && (word.starts_with(text) || text.starts_with(word));
  };
  const auto near = std::find_if(words.begin(), words.end(), is_near);
  throw Refused(fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "),
                            near == words.end() ? "" : fmt::format("; did you mean '{}'?", *near)));
}

}  // namespace detail

bool flag(bool& self, Text text, bool usual) {
  if (!detail::recording()) return usual;
  Descriptor descriptor = plain<bool>(text, Kind::Switch, usual);
  descriptor.parse = [usual](void* member, const std::string&) { *static_cast<bool*>(member) = !usual; };
  detail::note(std::move(descriptor), &self);
  return usual;
}

std::string text(std::string& self, Text text) {
  if (!detail::recording()) return {};
  Descriptor descriptor = plain<std::string>(text, Kind::Valued, {});
  descriptor.parse = [](void* member, const std::string& written) { *static_cast<std::string*>(member) = written; };
  detail::note(std::move(descriptor), &self);
  return {};
}

std::optional<std::string> text(std::optional<std::string>& self, Text text) {
  if (!detail::recording()) return {};
  using Stored = std::optional<std::string>;
  Descriptor descriptor = plain<Stored>(text, Kind::Valued, {});
  descriptor.parse = [](void* member, const std::string& written) { *static_cast<Stored*>(member) = written; };
  detail::note(std::move(descriptor), &self);
  return {};
}

std::vector<std::string> texts(std::vector<std::string>& self, Text text, std::optional<char> separator) {
  if (!detail::recording()) return {};
  using Stored = std::vector<std::string>;
  Descriptor descriptor = plain<Stored>(text, Kind::Repeatable, {});
  descriptor.separator = separator;
  descriptor.parse = [](void* member, const std::string& written) { static_cast<Stored*>(member)->push_back(written); };
  detail::note(std::move(descriptor), &self);
  return {};
}

std::vector<std::string> words(std::vector<std::string>& self, Text text, std::vector<std::string> usual,
                               const std::vector<std::string>& known) {
  if (!detail::recording()) return usual;
  using Stored = std::vector<std::string>;
  const auto expect_known = [known](const Stored& chosen) {
    for (const std::string& word : chosen) {
      if (std::find(known.begin(), known.end(), word) == known.end()) detail::refuse_word(word, known);
    }
  };
  Descriptor descriptor = plain<Stored>(text, Kind::Valued, usual);
  descriptor.description += fmt::format(": {}", fmt::join(known, ", "));
  descriptor.parse = [expect_known](void* member, const std::string& written) {
    Stored chosen = split(written, ',');
    expect_known(chosen);
    *static_cast<Stored*>(member) = std::move(chosen);
  };
  descriptor.set = [expect_known](void* member, const Value& value) {
    const auto& chosen = detail::expect_stored<Stored>(value);
    expect_known(chosen);
    *static_cast<Stored*>(member) = chosen;
  };
  detail::note(std::move(descriptor), &self);
  return usual;
}

std::optional<double> seconds(std::optional<double>& self, Text text) {
  if (!detail::recording()) return {};
  using Stored = std::optional<double>;
  Descriptor descriptor = plain<Stored>(text, Kind::Valued, {});
  descriptor.parse = [](void* member, const std::string& written) {
    *static_cast<Stored*>(member) = detail::parse_seconds(written);
  };
  detail::note(std::move(descriptor), &self);
  return {};
}

}  // namespace cohort::option
