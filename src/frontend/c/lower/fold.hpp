// Evaluation of terms as far as they are constant, in the arithmetic of C, and of addresses as far as they are known:
// an access through the address of an object becomes a direct access to it.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/c/lower/flat.hpp"

namespace cohort::frontend::c::lower {

// Brings a value into a scalar type by wrap-around; _Bool is the test for nonzero.
std::int64_t convert(const ir::Type& type, std::int64_t value);

// An equal term or access, simpler where the parts (which have been folded before) allow it.
TermId fold(Flat& flat, Term term);
AccessId fold(Flat& flat, Access access);

// Does the term stand for one value (a number, or the address of a fixed place or function)?
bool is_constant(const Flat& flat, TermId term);
std::optional<std::int64_t> number(const Flat& flat, TermId term);
// Is it a pointer that is certainly not NULL?
bool is_address(const Flat& flat, TermId term);
// Equal constants; none where one is not constant or the answer depends on the layout.
std::optional<bool> equal_constants(const Flat& flat, TermId left, TermId right);

// A copy with each Load and each access offered to `replace`: TermId replace(Term) is handed a Load whose access has
// been rewritten, and returns what to put in its place.
template <class Replace>
TermId rewrite(Flat& flat, TermId id, Replace&& replace);
template <class Replace>
AccessId rewrite(Flat& flat, AccessId id, Replace&& replace) {
  Access access = flat.access(id);
  if (!access.inst) access.pointer = rewrite(flat, access.pointer, replace);
  for (Index& index : access.indices) index.term = rewrite(flat, index.term, replace);
  return fold(flat, std::move(access));
}

template <class Replace>
TermId rewrite(Flat& flat, TermId id, Replace&& replace) {
  Term term = flat.term(id);
  for (TermId& arg : term.args) arg = rewrite(flat, arg, replace);
  if (term.op == ir::Op::Load || term.op == ir::Op::AddressOf) term.access = rewrite(flat, term.access, replace);
  if (term.op == ir::Op::Load) return replace(std::move(term));
  return fold(flat, std::move(term));
}

}  // namespace cohort::frontend::c::lower
