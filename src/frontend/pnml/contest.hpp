// The questions of the Model Checking Contest about a net: files such as ReachabilityCardinality.xml beside model.pnml.
// What is read, and which questions are ones of coverability, is in docs/formats.md.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/env.hpp"
#include "base/source.hpp"
#include "frontend/net_formula.hpp"
#include "frontend/pnml/net_parts.hpp"
#include "model/program.hpp"

namespace cohort::frontend::pnml {

struct ContestQuestion {
  // Reachable: does some reachable marking satisfy the condition?  Invariant: do all?  Bound: how many tokens do the
  // places have together at most?
  enum class Kind : std::uint8_t { Reachable, Invariant, Bound };

  std::string id;
  Kind kind = Kind::Reachable;
  SourceSpan span;
  std::string refusal;               // not empty: no question of coverability, and why
  NetFormula looked_for;             // a marking that decides it: one that satisfies the condition, or does not
  std::vector<NetParts::Place> sum;  // Bound
};

class Contest {
 public:
  // Throws InputError (malformed); what is well-formed and no question of coverability is refused in the question.
  Contest(const SourceFilePtr& net, const SourceFilePtr& questions, Env* env = nullptr);

  const std::vector<ContestQuestion>& questions() const { return questions_; }

  // A program that violates its property where a marking that is looked for can be reached.  Throws InputError
  // (unsupported) where there are too many such markings to list.
  model::Program program(const ContestQuestion& question) const;
  // The same for at least so many tokens on the places of a question about a bound.
  model::Program program(const ContestQuestion& question, std::uint64_t least) const;
  // Without a property.
  model::Program net() const;

  // How many tokens the places of a question about a bound have in the beginning.
  std::uint64_t tokens_at_start(const ContestQuestion& question) const;
  // The thread that a token at a place is.
  static std::pair<model::TemplateId, model::LocId> position(NetParts::Place place);

 private:
  model::Program build(NetFormula formula) const;

  NetParts net_;
  Env* env_;
  std::vector<ContestQuestion> questions_;
};

}  // namespace cohort::frontend::pnml
