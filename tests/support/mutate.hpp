// Random damage to a text, for feeding parsers what nobody wrote: bytes changed, removed, doubled, pieces swapped.
#pragma once

#include <random>
#include <string>

namespace cohort::test {

inline std::string mutate(std::string text, std::mt19937_64& random) {
  static const std::string alphabet = "0123456789 \n\t|/,#->+~=';[]<>\"&abzBU_\r\\\x00\xff";
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  const std::size_t edits = 1 + pick(4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = pick(text.size());
    const std::size_t length = std::min<std::size_t>(1 + pick(12), text.size() - at);
    switch (pick(5)) {
      case 0: text[at] = alphabet[pick(alphabet.size())]; break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(pick(text.size()), text.substr(at, length)); break;
      case 3: text.insert(at, 1, alphabet[pick(alphabet.size())]); break;
      default: text.resize(at); break;
    }
  }
  return text;
}

}  // namespace cohort::test
