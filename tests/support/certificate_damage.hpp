// Certificates that engines write, damage done to them, and a judge of what a damaged one still says.  A checker may
// accept a damaged certificate only if it is a proof all the same; the judge shows that without the checker: it
// explores the program by brute force and finds every reachable state among those that the certificate stands for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/program.hpp"

namespace cohort::test {

struct Certified {
  std::string engine;
  std::optional<std::uint32_t> bound;
  nlohmann::json certificate;
};

// A certificate from every engine that proves the program safe, with up to `threads` threads or with any number.
std::vector<Certified> certificates_of(const model::Program& program, std::uint32_t threads);

// The same document with one field changed in one way, for every field and every way that makes sense for its type:
// removed, doubled, another number (also 1.5, 1e308, true, -1, and numbers beyond 32 and 64 bits), another text, null.
void for_each_damage(const nlohmann::json& certificate, const std::function<void(const nlohmann::json&)>& visit);
// Several changes by chance; the same seed makes the same.
nlohmann::json damaged_at_random(const nlohmann::json& certificate, std::uint64_t seed);

// Empty where every state that at most `threads` threads reach is among those that the certificate stands for and none
// violates a property; else what is wrong.
std::string not_a_proof(const model::Program& program, std::optional<std::uint32_t> bound, std::uint32_t threads,
                        const nlohmann::json& certificate);

struct DamageTally {
  std::size_t damaged = 0;
  std::size_t refuted = 0;
  std::size_t undecided = 0;
  std::size_t accepted = 0;
  std::vector<std::string> wrong;  // accepted, and no proof

  void add(const DamageTally& other);
};

// By kind of certificate.
using DamageTallies = std::map<std::string, DamageTally>;
DamageTally total(const DamageTallies& tallies);

// Hands a damaged certificate to the checker, and what it accepts to the judge.
void count_damage(const model::Program& program, const Certified& certified, const nlohmann::json& damaged,
                  DamageTally& tally);
void count_damage(const model::Program& program, const Certified& certified, const nlohmann::json& damaged,
                  DamageTallies& tallies);

}  // namespace cohort::test
