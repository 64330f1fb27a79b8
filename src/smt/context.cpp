#include "smt/context.hpp"

#include <z3.h>

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "base/contract.hpp"

namespace cohort::smt {

Context::Context(std::uint64_t memory_limit) {
  // The parameter counts megabytes; 0 lifts a limit that an earlier context had set.
  Z3_global_param_set("memory_max_size", std::to_string(memory_limit >> 20U).c_str());
  Z3_config config = Z3_mk_config();
  context_ = Z3_mk_context(config);
  Z3_del_config(config);
  if (context_ == nullptr) throw std::bad_alloc();
  Z3_set_error_handler(context_, nullptr);
  true_ = checked(Z3_mk_true(context_));
  false_ = checked(Z3_mk_false(context_));
}

Context::~Context() {
  Z3_del_context(context_);
}

Term Context::checked(_Z3_ast* ast) {
  if (const Z3_error_code code = Z3_get_error_code(context_); code != Z3_OK || ast == nullptr) {
    if (code == Z3_MEMOUT_FAIL) throw std::bad_alloc();
    throw InternalError(fmt::format("Z3 refuses a term: {}", Z3_get_error_msg(context_, code)));
  }
  ++made_;
  return Term(ast);
}

std::string Context::unique(const std::string& name) {
  return fmt::format("{}!{}", name, names_++);
}

Term Context::fresh_boolean(const std::string& name) {
  const Z3_symbol symbol = Z3_mk_string_symbol(context_, unique(name).c_str());
  return checked(Z3_mk_const(context_, symbol, Z3_mk_bool_sort(context_)));
}

Term Context::fresh_bits(const std::string& name, unsigned width) {
  const Z3_symbol symbol = Z3_mk_string_symbol(context_, unique(name).c_str());
  return checked(Z3_mk_const(context_, symbol, Z3_mk_bv_sort(context_, width)));
}

Term Context::fresh_integer(const std::string& name) {
  const Z3_symbol symbol = Z3_mk_string_symbol(context_, unique(name).c_str());
  return checked(Z3_mk_const(context_, symbol, Z3_mk_int_sort(context_)));
}

Term Context::negate(Term operand) {
  if (is_true(operand)) return false_;
  if (is_false(operand)) return true_;
  if (const auto it = negations_.find(operand); it != negations_.end()) return it->second;
  const Term result = checked(Z3_mk_not(context_, operand.raw()));
  negations_.emplace(operand, result);
  negations_.emplace(result, operand);
  return result;
}

Term Context::connect(std::span<const Term> operands, bool conjunction) {
  const Term neutral = boolean(conjunction);
  const Term dominant = boolean(!conjunction);
  std::vector<Z3_ast> kept;
  for (const Term operand : operands) {
    if (operand == dominant) return dominant;
    if (operand == neutral) continue;
    if (std::find(kept.begin(), kept.end(), operand.raw()) != kept.end()) continue;
    if (const auto it = negations_.find(operand); it != negations_.end()) {
      if (std::find(kept.begin(), kept.end(), it->second.raw()) != kept.end()) return dominant;
    }
    kept.push_back(operand.raw());
  }
  if (kept.empty()) return neutral;
  if (kept.size() == 1) return Term(kept[0]);
  const auto count = static_cast<unsigned>(kept.size());
  return checked(conjunction ? Z3_mk_and(context_, count, kept.data()) : Z3_mk_or(context_, count, kept.data()));
}

Term Context::conj(std::span<const Term> operands) {
  return connect(operands, true);
}

Term Context::disj(std::span<const Term> operands) {
  return connect(operands, false);
}

Term Context::conj(Term left, Term right) {
  const Term both[] = {left, right};
  return connect(both, true);
}

Term Context::disj(Term left, Term right) {
  const Term both[] = {left, right};
  return connect(both, false);
}

Term Context::iff(Term left, Term right) {
  if (left == right) return true_;
  if (is_true(left)) return right;
  if (is_true(right)) return left;
  if (is_false(left)) return negate(right);
  if (is_false(right)) return negate(left);
  return checked(Z3_mk_eq(context_, left.raw(), right.raw()));
}

Term Context::ite(Term condition, Term then, Term otherwise) {
  if (is_true(condition) || then == otherwise) return then;
  if (is_false(condition)) return otherwise;
  if (is_true(then)) return disj(condition, otherwise);
  if (is_false(then)) return conj(negate(condition), otherwise);
  if (is_true(otherwise)) return disj(negate(condition), then);
  if (is_false(otherwise)) return conj(condition, then);
  return checked(Z3_mk_ite(context_, condition.raw(), then.raw(), otherwise.raw()));
}

Term Context::equal(Term left, Term right) {
  if (left == right) return true_;
  return checked(Z3_mk_eq(context_, left.raw(), right.raw()));
}

Term Context::at_most_one(std::span<const Term> operands) {
  std::vector<Term> pairs;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      pairs.push_back(disj(negate(operands[i]), negate(operands[j])));
    }
  }
  return conj(pairs);
}

Term Context::bits(const std::string& value, unsigned width) {
  return checked(Z3_mk_numeral(context_, value.c_str(), Z3_mk_bv_sort(context_, width)));
}

Term Context::zero_extend(Term operand, unsigned width) {
  const unsigned old = Z3_get_bv_sort_size(context_, Z3_get_sort(context_, operand.raw()));
  COHORT_EXPECT(old <= width, "extension does not shorten");
  return old == width ? operand : checked(Z3_mk_zero_ext(context_, width - old, operand.raw()));
}

Term Context::sign_extend(Term operand, unsigned width) {
  const unsigned old = Z3_get_bv_sort_size(context_, Z3_get_sort(context_, operand.raw()));
  COHORT_EXPECT(old <= width, "extension does not shorten");
  return old == width ? operand : checked(Z3_mk_sign_ext(context_, width - old, operand.raw()));
}

Term Context::extract(Term operand, unsigned high, unsigned low) {
  const unsigned old = Z3_get_bv_sort_size(context_, Z3_get_sort(context_, operand.raw()));
  if (low == 0 && high + 1 == old) return operand;
  return checked(Z3_mk_extract(context_, high, low, operand.raw()));
}

Term Context::bit_op(BitOp op, Term left, Term right) {
  const Z3_ast a = left.raw();
  const Z3_ast b = right.raw();
  switch (op) {
    case BitOp::Add: return checked(Z3_mk_bvadd(context_, a, b));
    case BitOp::Sub: return checked(Z3_mk_bvsub(context_, a, b));
    case BitOp::Mul: return checked(Z3_mk_bvmul(context_, a, b));
    case BitOp::DivU: return checked(Z3_mk_bvudiv(context_, a, b));
    case BitOp::DivS: return checked(Z3_mk_bvsdiv(context_, a, b));
    case BitOp::RemU: return checked(Z3_mk_bvurem(context_, a, b));
    case BitOp::RemS: return checked(Z3_mk_bvsrem(context_, a, b));
    case BitOp::And: return checked(Z3_mk_bvand(context_, a, b));
    case BitOp::Or: return checked(Z3_mk_bvor(context_, a, b));
    case BitOp::Xor: return checked(Z3_mk_bvxor(context_, a, b));
    case BitOp::Shl: return checked(Z3_mk_bvshl(context_, a, b));
    case BitOp::ShrL: return checked(Z3_mk_bvlshr(context_, a, b));
    case BitOp::ShrA: return checked(Z3_mk_bvashr(context_, a, b));
  }
  COHORT_UNREACHABLE("every operation on bits is made");
}

Term Context::bit_not(Term operand) {
  return checked(Z3_mk_bvnot(context_, operand.raw()));
}

Term Context::less_unsigned(Term left, Term right) {
  return checked(Z3_mk_bvult(context_, left.raw(), right.raw()));
}

Term Context::less_signed(Term left, Term right) {
  return checked(Z3_mk_bvslt(context_, left.raw(), right.raw()));
}

Term Context::integer(const std::string& value) {
  return checked(Z3_mk_numeral(context_, value.c_str(), Z3_mk_int_sort(context_)));
}

Term Context::int_op(IntOp op, Term left, Term right) {
  const Z3_ast both[] = {left.raw(), right.raw()};
  switch (op) {
    case IntOp::Add: return checked(Z3_mk_add(context_, 2, both));
    case IntOp::Sub: return checked(Z3_mk_sub(context_, 2, both));
    case IntOp::Mul: return checked(Z3_mk_mul(context_, 2, both));
    case IntOp::Div: return checked(Z3_mk_div(context_, both[0], both[1]));
    case IntOp::Mod: return checked(Z3_mk_mod(context_, both[0], both[1]));
  }
  COHORT_UNREACHABLE("every operation on integers is made");
}

Term Context::less_integer(Term left, Term right) {
  return checked(Z3_mk_lt(context_, left.raw(), right.raw()));
}

}  // namespace cohort::smt
