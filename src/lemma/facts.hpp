// What is still believed of each view in the course of Houdini, and the states that took the rest away.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "lemma/atom.hpp"
#include "lemma/clauses.hpp"
#include "lemma/views.hpp"

namespace cohort::lemma {

class Facts {
 public:
  struct Entry {
    std::vector<Atom> alive;
    std::vector<Atom> strongest;  // of these, without those that others imply
    std::vector<model::TemplateId> templates;
    std::vector<std::vector<std::uint32_t>> arrangements;
    std::uint64_t changed_at = 0;
  };

  // What may hold in a view.
  using Candidates = std::function<std::vector<Atom>(const View&)>;

  Facts(const model::Commands& commands, const Alphabet& alphabet, Candidates candidates)
      : atoms_(commands), alphabet_(alphabet), candidates_(std::move(candidates)) {}

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
  Reached reached_;
  std::map<View, Entry> entries_;
  std::uint64_t clock_ = 0;
  std::uint64_t killed_ = 0;
};

}  // namespace cohort::lemma
