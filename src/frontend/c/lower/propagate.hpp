// Constant propagation over all bodies, and the clearing away of what it leaves behind.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// The value of a memory cell that is never written, where that is known: (instance, offset, type).
using FixedCells = std::function<std::optional<TermId>(InstId, std::int64_t, ir::TypeId)>;

// Replaces constant terms, resolves accesses through known addresses, and removes what cannot be executed and
// assignments that nobody reads.  Until all bodies are known, somebody else may read what is static.
void propagate(Flat& flat, const FixedCells& fixed, bool all_bodies = true);

// Is the access certain to lead to something that exists?
bool is_inside(const Flat& flat, const Access& access);

// May evaluating the term go wrong, or be half of a race, so that it must stay, and stay where it is, though nobody
// reads the value?
bool matters(const Flat& flat, TermId id);

// Of each object on a stack, or of each thread: may others than its thread get at it, because its address is taken or
// because another body names it, as one does in whose place a pointer to an object of main has been followed?
std::vector<bool> seen_by_others(const Flat& flat);

// Calls visit(AccessId, is_load) for each access in the term: nested ones first, left to right.
template <class Visit>
void for_each_access(const Flat& flat, TermId id, Visit&& visit) {
  const Term& term = flat.term(id);
  for (const TermId arg : term.args) for_each_access(flat, arg, visit);
  if (term.op != ir::Op::Load && term.op != ir::Op::AddressOf) return;
  const Access& access = flat.access(term.access);
  if (!access.inst) for_each_access(flat, access.pointer, visit);
  for (const Index& index : access.indices) for_each_access(flat, index.term, visit);
  visit(term.access, term.op == ir::Op::Load);
}

// The same for the terms of a node, without the place that it assigns; the terms inside that place are visited.
template <class Visit>
void for_each_access(const Flat& flat, const Node& node, Visit&& visit) {
  if (node.has_term) for_each_access(flat, node.term, visit);
  if (node.kind == Node::Kind::Spawn) for_each_access(flat, node.argument, visit);
  if (node.has_number) for_each_access(flat, node.number, visit);
  if (!node.has_access) return;
  const Access& access = flat.access(node.access);
  if (!access.inst) for_each_access(flat, access.pointer, visit);
  for (const Index& index : access.indices) for_each_access(flat, index.term, visit);
}

}  // namespace cohort::frontend::c::lower
