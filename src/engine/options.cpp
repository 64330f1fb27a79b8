#include "engine/options.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include <fmt/core.h>

namespace cohort::engine {

namespace {

std::uint32_t parse_steps(std::string_view text) {
  std::uint32_t steps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), steps);
  if (error != std::errc() || end != text.data() + text.size() || steps > most_steps) {
    throw option::Refused(fmt::format("'{}' is not a number of steps: write K or A..B, at most {}", text, most_steps));
  }
  return steps;
}

struct Improvement {
  std::string_view name;
  bool KarpMillerImprovements::*value;
};

constexpr std::array improvements{
    Improvement{"shared-first", &KarpMillerImprovements::shared_first},
    Improvement{"minimal-chains", &KarpMillerImprovements::minimal_chains},
    Improvement{"coverage", &KarpMillerImprovements::coverage},
    Improvement{"subtrees", &KarpMillerImprovements::subtrees},
    Improvement{"index", &KarpMillerImprovements::index},
    Improvement{"turns", &KarpMillerImprovements::turns},
};

void switch_off(KarpMillerImprovements& options, std::string_view name) {
  std::string known;
  for (const Improvement& improvement : improvements) {
    if (name == improvement.name) {
      options.*improvement.value = false;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(improvement.name);
  }
  throw option::Refused(fmt::format("'{}' is none of {}", name, known));
}

}  // namespace

void Depths::parse(const std::string& text) {
  const std::size_t dots = text.find("..");
  first = parse_steps(std::string_view(text).substr(0, dots));
  last = dots == std::string::npos ? first : parse_steps(std::string_view(text).substr(dots + 2));
  if (*first > *last) throw option::Refused(fmt::format("'{}' holds no depth", text));
}

std::string Depths::written() const {
  if (!first && !last) return "";
  const std::uint32_t from = first.value_or(0);
  const std::uint32_t to = last.value_or(most_steps);
  return from == to ? std::to_string(from) : fmt::format("{}..{}", from, to);
}

void KarpMillerImprovements::parse(const std::string& text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    switch_off(*this, std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string KarpMillerImprovements::written() const {
  std::string off;
  for (const Improvement& improvement : improvements) {
    if (!(this->*improvement.value)) off += (off.empty() ? "" : ",") + std::string(improvement.name);
  }
  return off;
}

}  // namespace cohort::engine
