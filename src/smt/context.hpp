// The owner of a Z3 context: terms are made here, and nowhere else.  A term is a plain handle; all terms live as long
// as their context, which suits formulas that only grow.  The connectives simplify what is decided by looking at their
// arguments (constants, equal arguments, an argument beside its negation), so that a formula built over mostly known
// states comes out small, before the solver sees it.
//
// Z3 never throws through here.  That it ran out of memory while a term was made is std::bad_alloc, as for any other
// allocation; anything else that it refuses is a broken contract.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

struct _Z3_ast;      // NOLINT(bugprone-reserved-identifier): Z3's name
struct _Z3_context;  // NOLINT(bugprone-reserved-identifier): Z3's name

namespace cohort::smt {

class Term {
 public:
  Term() = default;
  explicit Term(_Z3_ast* ast) : ast_(ast) {}

  _Z3_ast* raw() const { return ast_; }
  bool operator==(const Term&) const = default;

 private:
  _Z3_ast* ast_ = nullptr;
};

struct TermHash {
  std::size_t operator()(Term term) const noexcept { return std::hash<const void*>()(term.raw()); }
};

class Context {
 public:
  // `memory_limit` in bytes, none for 0; it holds for all contexts of the process.
  explicit Context(std::uint64_t memory_limit = 0);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  _Z3_context* raw() const { return context_; }

  Term truth() const { return true_; }
  Term falsity() const { return false_; }
  Term boolean(bool value) const { return value ? true_ : false_; }
  bool is_true(Term term) const { return term == true_; }
  bool is_false(Term term) const { return term == false_; }
  bool is_constant(Term term) const { return is_true(term) || is_false(term); }

  // New unknowns; names are for readers of dumped formulas and get a number that makes them unique.
  Term fresh_boolean(const std::string& name);
  Term fresh_bits(const std::string& name, unsigned width);
  Term fresh_integer(const std::string& name);

  Term negate(Term operand);
  Term conj(Term left, Term right);
  Term disj(Term left, Term right);
  Term conj(std::span<const Term> operands);
  Term disj(std::span<const Term> operands);
  Term implies(Term left, Term right) { return disj(negate(left), right); }
  Term iff(Term left, Term right);
  Term ite(Term condition, Term then, Term otherwise);
  Term equal(Term left, Term right);
  // At most one of the operands is true; pairwise, which propagates best for the few threads of a program.
  Term at_most_one(std::span<const Term> operands);

  // Bit-vectors; `value`, in decimal, is taken modulo 2^width.  Operands have equal widths.
  Term bits(const std::string& value, unsigned width);
  Term zero_extend(Term operand, unsigned width);
  Term sign_extend(Term operand, unsigned width);
  Term extract(Term operand, unsigned high, unsigned low);
  enum class BitOp : std::uint8_t { Add, Sub, Mul, DivU, DivS, RemU, RemS, And, Or, Xor, Shl, ShrL, ShrA };
  Term bit_op(BitOp op, Term left, Term right);
  Term bit_not(Term operand);
  Term less_unsigned(Term left, Term right);
  Term less_signed(Term left, Term right);

  // Mathematical integers; `value` in decimal.  Division rounds so that the remainder is not negative.
  Term integer(const std::string& value);
  enum class IntOp : std::uint8_t { Add, Sub, Mul, Div, Mod };
  Term int_op(IntOp op, Term left, Term right);
  Term less_integer(Term left, Term right);

  // Terms made so far, for statistics.
  std::uint64_t terms() const { return made_; }

 private:
  Term checked(_Z3_ast* ast);
  Term connect(std::span<const Term> operands, bool conjunction);
  std::string unique(const std::string& name);

  _Z3_context* context_ = nullptr;
  Term true_;
  Term false_;
  std::unordered_map<Term, Term, TermHash> negations_;
  std::uint64_t made_ = 0;
  std::uint64_t names_ = 0;
};

}  // namespace cohort::smt
