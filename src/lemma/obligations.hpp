// What an invariant over views has to exclude, beside error locations: steps that go wrong, and bad conditions with
// threads at certain locations.  Each is a configuration of threads whose views may all be assumed, like the
// hypotheses of a clause (lemma/clauses.hpp); what is looked for must not be possible there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lemma/clauses.hpp"
#include "lemma/views.hpp"

namespace cohort::lemma {

struct Obligation {
  std::vector<SpotId> threads;
  std::vector<std::vector<std::uint32_t>> hypotheses;  // views of these threads, by their numbers
  std::optional<std::size_t> command;                  // this one of thread 0 must not go wrong
  std::optional<model::ExprId> condition;              // else this must not hold, or if none, nobody be there
  std::string otherwise;                               // what the invariant allows, in words
};

// Until `visit` returns false; was it never?
bool for_each_obligation(const Alphabet& alphabet, const Reached& reached,
                         const std::function<bool(const Obligation&)>& visit);

// None: invariants over views can tell whether the program's properties hold.  Else the one that they cannot, in words.
std::optional<std::string> unseen_property(const model::Program& program);

// Does a thread of these violate a property by being where it is?
bool at_error(const Alphabet& alphabet, const std::vector<SpotId>& spots);

}  // namespace cohort::lemma
