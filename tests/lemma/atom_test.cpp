// Leaving out atoms that follow from others changes nothing: a random list and what is left of it hold in the same
// states.
#include "lemma/atom.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/build.hpp"

namespace cohort::lemma {

using namespace model;
using namespace test;

namespace {

TEST(Atoms, ThatAreLeftOutFollowFromTheRest) {
  Program program;
  for (const char* name : {"x", "y", "z", "u"}) program.add_shared(var_of(name, Type::range(-3, 3), {0}));
  program.add_template(template_with("T", 1));
  program.initial.push_back({TemplateId(std::size_t{0}), LocId(std::size_t{0}), 1});
  const Commands commands(program);
  const Atoms atoms(commands);
  std::mt19937_64 random(5);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const auto var = [&] { return Var{Var::shared, static_cast<std::uint32_t>(below(4))}; };
  std::size_t left_out = 0;
  for (int round = 0; round < 1500; ++round) {
    std::vector<Atom> list;
    for (std::size_t i = 1 + below(60); i > 0; --i) {
      Atom atom{.kind = static_cast<Atom::Kind>(below(7)), .x = var(), .c = static_cast<Value>(below(3)) - 1};
      if (atom.kind == Atom::Kind::Difference || atom.kind == Atom::Kind::Distinct || atom.kind == Atom::Kind::Sum) {
        atom.y = var();
      }
      if (atom.kind == Atom::Kind::Sum) atom.z = var();
      if (atom.kind == Atom::Kind::Congruent) {
        atom.modulus = 2;
        atom.c = static_cast<Value>(below(2));
      }
      if (below(4) == 0) atom.premise = std::pair(var(), static_cast<Value>(below(2)));
      list.push_back(atom);
    }
    // A list of facts that hold together, as those of a view do.
    Sample witness{{}, {}};
    for (int i = 0; i < 4; ++i) witness.shared.push_back(static_cast<Value>(below(3)) - 1);
    std::erase_if(list, [&](const Atom& atom) { return !atoms.holds(atom, witness, {}); });
    const std::vector<Atom> rest = undominated(list);
    left_out += list.size() - rest.size();
    const auto all_hold = [&](const std::vector<Atom>& some, const Sample& sample) {
      return std::all_of(some.begin(), some.end(), [&](const Atom& atom) { return atoms.holds(atom, sample, {}); });
    };
    for (int i = 0; i < 200; ++i) {
      Sample sample{{}, {}};
      for (int j = 0; j < 4; ++j) sample.shared.push_back(static_cast<Value>(below(7)) - 3);
      ASSERT_EQ(all_hold(list, sample), all_hold(rest, sample)) << "round " << round;
    }
  }
  EXPECT_GT(left_out, 1000U);
}

}  // namespace

}  // namespace cohort::lemma
