// What is still believed of each view in the course of Houdini: candidates that no state took away, and the equations
// that hold of all states.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "lemma/atom.hpp"
#include "lemma/clauses.hpp"
#include "lemma/hull.hpp"
#include "lemma/views.hpp"

namespace cohort::lemma {

class Facts {
 public:
  struct Entry {
    std::vector<Atom> alive;
    std::vector<Var> dimensions;  // of the hull
    Hull hull;
    std::vector<Atom> strongest;  // of all these, without those that others imply
    std::vector<model::TemplateId> templates;
    std::vector<std::vector<std::uint32_t>> arrangements;
    std::uint64_t changed_at = 0;
  };

  // What may hold in a view.
  using Candidates = std::function<std::vector<Atom>(const View&)>;
  // Between which variables equations are looked for.
  using Dimensions = std::function<std::vector<std::pair<Var, model::Type>>(const View&)>;

  Facts(const model::Commands& commands, const Alphabet& alphabet, Candidates candidates, Dimensions dimensions)
      : atoms_(commands), alphabet_(alphabet), candidates_(std::move(candidates)), dimensions_(std::move(dimensions)) {}

  const Atoms& atoms() const { return atoms_; }
  const Reached& reached() const { return reached_; }
  // None: unreachable so far.
  const Entry* find(const View& view) const;
  const std::map<View, Entry>& all() const { return entries_; }
  // A state that the view must allow, in any arrangement of its threads.  Did anything change?
  bool absorb(const View& view, const Sample& sample);
  std::uint64_t now() const { return clock_; }
  std::uint64_t killed() const { return killed_; }

 private:
  Atoms atoms_;
  const Alphabet& alphabet_;
  Candidates candidates_;
  Dimensions dimensions_;
  Reached reached_;
  std::map<View, Entry> entries_;
  std::uint64_t clock_ = 0;
  std::uint64_t killed_ = 0;
};

}  // namespace cohort::lemma
