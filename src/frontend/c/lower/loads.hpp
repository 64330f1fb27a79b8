// Which loads a term still needs.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// The loads of a term in the order in which they happen, without those that are done and what only they need.
class LoadFinder {
 public:
  LoadFinder(const Flat& flat, const std::set<TermId>& done) : flat_(flat), done_(done) {}

  void visit(TermId id) {
    const Term& term = flat_.term(id);
    if (done_.contains(id)) return;
    for (const TermId arg : term.args) visit(arg);
    if (term.op != ir::Op::Load && term.op != ir::Op::AddressOf) return;
    visit(flat_.access(term.access));
    if (term.op == ir::Op::Load) loads_.push_back(id);
  }

  void visit(const Access& access) {
    if (!access.inst) visit(access.pointer);
    for (const Index& index : access.indices) visit(index.term);
  }

  std::vector<TermId> take() { return std::move(loads_); }

 private:
  const Flat& flat_;
  const std::set<TermId>& done_;
  std::vector<TermId> loads_;
};

}  // namespace cohort::frontend::c::lower
