#include "base/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include <fmt/core.h>

namespace cohort {

namespace {

using Words = std::array<std::uint32_t, 8>;
using Constants = std::array<std::uint32_t, 64>;

// The first 32 bits of the fractional part of a root of `number`: the largest x with x^degree <= number * 2^(32
// degree), found bit by bit, without what is before the point.
constexpr std::uint32_t root_fraction(std::uint64_t number, int degree) {
  using Wide = unsigned __int128;
  std::uint64_t root = 0;
  for (int bit = 37; bit >= 0; --bit) {
    const std::uint64_t candidate = root | (std::uint64_t{1} << static_cast<unsigned>(bit));
    // A cube of 38 bits fits 128 bits, and so does the number moved up by 96.
    Wide power = candidate;
    for (int i = 1; i < degree; ++i) power *= candidate;
    if (power <= static_cast<Wide>(number) << static_cast<unsigned>(32 * degree)) root = candidate;
  }
  return static_cast<std::uint32_t>(root);
}

constexpr std::uint64_t next_prime(std::uint64_t number) {
  for (;;) {
    ++number;
    bool prime = true;
    for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) prime = prime && number % divisor != 0;
    if (prime) return number;
  }
}

constexpr Constants round_constants() {
  Constants constants{};
  std::uint64_t prime = 1;
  for (auto& constant : constants) constant = root_fraction(prime = next_prime(prime), 3);
  return constants;
}

constexpr Words start_words() {
  Words words{};
  std::uint64_t prime = 1;
  for (auto& word : words) word = root_fraction(prime = next_prime(prime), 2);
  return words;
}

constexpr Constants constants = round_constants();

// The message with a one bit, zeros and its length behind it, a multiple of 64 bytes long.
std::string padded(std::string_view bytes) {
  std::string text(bytes);
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> static_cast<unsigned>(shift));
  return text;
}

void take_block(Words& hash, std::string_view block) {
  Constants w{};
  for (std::size_t i = 0; i < 64; ++i) {
    const auto byte = static_cast<std::uint32_t>(static_cast<unsigned char>(block[i]));
    w[i / 4] = w[i / 4] << 8U | byte;
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t low = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3U;
    const std::uint32_t high = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10U;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t mixed = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + mixed + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const std::uint32_t turned = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = turned + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  const std::string text = padded(bytes);
  Words hash = start_words();
  for (std::size_t at = 0; at < text.size(); at += 64) take_block(hash, std::string_view(text).substr(at, 64));
  std::string digits;
  for (const std::uint32_t word : hash) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace cohort
