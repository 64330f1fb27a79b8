// Calls, and the built-in functions that are no calls.
#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Builtins.h>
#include <fmt/format.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;

namespace {

const clang::StringLiteral* string_in(const clang::Expr* expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (unary->getOpcode() == clang::UO_Extension) return string_in(unary->getSubExpr());
  }
  if (const auto* predefined = llvm::dyn_cast<clang::PredefinedExpr>(expr)) return predefined->getFunctionName();
  return llvm::dyn_cast<clang::StringLiteral>(expr);
}

// What was given for a parameter that is a transparent union, as bind() has one: it is passed as it is.
const clang::Expr* member_of_transparent_union(const clang::Expr* argument) {
  const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(argument->IgnoreParenImpCasts());
  const clang::RecordDecl* record = literal != nullptr ? literal->getType()->getAsRecordDecl() : nullptr;
  if (record == nullptr || !record->hasAttr<clang::TransparentUnionAttr>()) return nullptr;
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(literal->getInitializer());
  return list != nullptr && list->getNumInits() == 1 ? list->getInit(0) : nullptr;
}

constexpr llvm::StringLiteral builtin_prefix = "__builtin_";

// Hints to the processor and the compiler, and barriers: memory is sequentially consistent.
bool is_hint(llvm::StringRef name) {
  constexpr llvm::StringLiteral names[] = {"__builtin_ia32_pause",
                                           "__builtin_ia32_mfence",
                                           "__builtin_ia32_lfence",
                                           "__builtin_ia32_sfence",
                                           "__builtin_prefetch",
                                           "__builtin_assume",
                                           "__builtin___clear_cache",
                                           "_mm_pause",
                                           "_mm_mfence",
                                           "_mm_lfence",
                                           "_mm_sfence",
                                           "_mm_prefetch",
                                           "_mm_clflush"};
  return llvm::is_contained(names, name);
}

// Functions of the library whose models read the strings they are given.
bool looks_at_text(llvm::StringRef name) {
  constexpr llvm::StringLiteral others[] = {"sem_open", "sem_unlink", "write",       "send",   "sendto",
                                            "pwrite",   "getopt",     "getopt_long", "getenv", "secure_getenv",
                                            "setenv",   "unsetenv",   "basename",    "stpcpy", "index",
                                            "rindex",   "stpncpy",    "rawmemchr",   "mkstemp"};
  return name.starts_with("str") || name.starts_with("mem") || name.starts_with("ato") ||
         std::find(std::begin(others), std::end(others), name) != std::end(others);
}

}  // namespace

ExprId FunctionTranslator::call(const clang::CallExpr* expr, bool used) {
  const Context context(*this, expr->getSourceRange());
  if (const auto result = builtin(expr, used)) return *result;
  Node call = node(Node::Kind::Call);
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (callee != nullptr) {
    call.callee = file_.declarations.function(callee);
    // What a built-in function does is what the function of the library does.
    const llvm::StringRef name = callee->getName();
    if (name.starts_with(builtin_prefix)) {
      const std::string plain = name.drop_front(builtin_prefix.size()).str();
      const auto model = file_.symbols.known_function("cohort_builtin_" + plain);
      call.callee = model ? *model : file_.symbols.function(plain, value_type(expr));
    }
  } else {
    ExprId pointer = value(expr->getCallee());
    for (const clang::Expr* arg : expr->arguments()) {
      if (has_effects(arg)) pointer = frozen(pointer);
    }
    if (unit_.expr(pointer).op == Op::FunctionAddr) {
      call.callee = unit_.expr(pointer).function;
    } else {
      call.callee_pointer = pointer;
    }
  }
  const bool is_library = callee != nullptr && is_of_library(callee);
  llvm::StringRef name = is_library ? callee->getName() : "";
  name.consume_front(builtin_prefix);
  if (is_library) {
    if (const auto result = formatted(expr, name)) return *result;
  }
  std::vector<const clang::Expr*> args(expr->arg_begin(), expr->arg_end());
  call.args = arguments(args, is_library && !looks_at_text(name) ? callee : nullptr);
  call.read_only_args = read_only_arguments(expr);
  if (is_library) read_given_memory(expr, name, call.args);
  const ir::TypeId type = value_type(expr);
  const bool has_result = used && unit_.type(type).kind != ir::Type::Kind::Void;
  std::optional<PlaceId> result;
  if (has_result) result = temporary(type);
  call.result = result;
  flow_.emit(std::move(call));
  // What comes behind a call is no part of the step that comes before it.
  if (!is_library) ++statement_;
  return result ? load(*result) : nondet(type);
}

// Arguments that lead to what the callee has declared constant, or prints.
std::uint64_t FunctionTranslator::read_only_arguments(const clang::CallExpr* expr) {
  constexpr unsigned most = 64;
  const clang::Expr* callee = expr->getCallee()->IgnoreParenImpCasts();
  clang::QualType type = callee->getType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* prototype = type->getAs<clang::FunctionProtoType>();
  const clang::FunctionDecl* direct = expr->getDirectCallee();
  const auto* format = direct != nullptr ? direct->getAttr<clang::FormatAttr>() : nullptr;
  const bool prints = format != nullptr && !format->getType()->getName().contains("scanf");
  std::uint64_t result = 0;
  for (unsigned i = 0; i < std::min(expr->getNumArgs(), most); ++i) {
    const bool is_named = prototype != nullptr && i < prototype->getNumParams();
    const clang::QualType param = is_named ? prototype->getParamType(i) : clang::QualType();
    const bool is_constant = is_named && param->isPointerType() && param->getPointeeType().isConstQualified();
    if (is_constant || (!is_named && prints)) result |= std::uint64_t{1} << i;
  }
  return result;
}

// Is the function one of the library's, and not one of the program's?
bool FunctionTranslator::is_of_library(const clang::FunctionDecl* callee) const {
  llvm::StringRef name = callee->getName();
  if (name.starts_with("__cohort_")) return true;
  const clang::FunctionDecl* definition = callee->getDefinition();
  if (definition != nullptr && !file_.declarations.stands_in_for_library(definition)) return false;
  name.consume_front(builtin_prefix);
  if (name.starts_with("__isoc")) return true;
  const auto known = file_.symbols.known_function(name.str());
  return name.contains("scanf") || (known && unit_.function(*known).is_library);
}

std::vector<ExprId> FunctionTranslator::arguments(llvm::ArrayRef<const clang::Expr*> args,
                                                  const clang::FunctionDecl* prints) {
  std::vector<ExprId> values;
  for (std::size_t i = 0; i < args.size(); ++i) {
    // What goes to a `void *` may be read by somebody else: the routine of a thread, for one.
    const bool is_untyped = prints != nullptr && i < prints->getNumParams() &&
                            prints->getParamDecl(static_cast<unsigned>(i))->getType()->isVoidPointerType();
    const clang::StringLiteral* literal = prints != nullptr && !is_untyped ? string_in(args[i]) : nullptr;
    const clang::Expr* member = member_of_transparent_union(args[i]);
    ExprId argument = literal != nullptr ? text(args[i], literal) : value(member != nullptr ? member : args[i]);
    for (std::size_t later = i + 1; later < args.size(); ++later) {
      if (has_effects(args[later])) argument = frozen(argument);
    }
    values.push_back(argument);
  }
  return values;
}

ExprId FunctionTranslator::text(const clang::Expr* expr, const clang::StringLiteral* literal) {
  std::string bytes = literal->getCharByteWidth() == 1 ? literal->getString().str() : std::string();
  return unit_.add_expr({.op = Op::Text, .type = value_type(expr), .text = std::move(bytes), .span = span_});
}

std::optional<ExprId> FunctionTranslator::builtin(const clang::CallExpr* expr, bool used) {
  const unsigned id = expr->getBuiltinCallee();
  if (id == 0) return std::nullopt;
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (const auto result = sync_builtin(expr, callee->getName())) return result;
  if (is_hint(callee->getName())) {
    for (const clang::Expr* arg : expr->arguments()) value(arg, false);
    return nondet(file_.types.void_type());
  }
  if (const auto result = float_question(expr, callee->getName())) return result;
  switch (id) {
    case clang::Builtin::BI__builtin_expect:
    case clang::Builtin::BI__builtin_expect_with_probability:
    case clang::Builtin::BI__builtin_assume_aligned: return value(expr->getArg(0), used);
    case clang::Builtin::BI__atomic_thread_fence:
    case clang::Builtin::BI__atomic_signal_fence:
    case clang::Builtin::BI__c11_atomic_thread_fence:
    case clang::Builtin::BI__c11_atomic_signal_fence: return nondet(file_.types.void_type());
    case clang::Builtin::BI__c11_atomic_is_lock_free: return constant(1, value_type(expr));
    case clang::Builtin::BI__builtin_unreachable:
      call_library("__cohort_assume", {constant(0, file_.types.int_type())});
      return nondet(file_.types.void_type());
    case clang::Builtin::BI__builtin_trap: call_library("abort", {}); return nondet(file_.types.void_type());
    case clang::Builtin::BI__builtin_va_start: return start_list(expr);
    case clang::Builtin::BI__builtin_va_copy: return copy_list(expr);
    case clang::Builtin::BI__builtin_va_end: return nondet(file_.types.void_type());
    case clang::Builtin::BI__builtin_alloca:
    case clang::Builtin::BIalloca: return allocate(value(expr->getArg(0)));
    case clang::Builtin::BI__builtin_add_overflow: return checked_arithmetic(expr, Op::Add);
    case clang::Builtin::BI__builtin_sub_overflow: return checked_arithmetic(expr, Op::Sub);
    case clang::Builtin::BI__builtin_mul_overflow: return checked_arithmetic(expr, Op::Mul);
    case clang::Builtin::BI__builtin_object_size:
    case clang::Builtin::BI__builtin_dynamic_object_size: {
      // As without optimisation: what cannot be told from the expression itself is not known.
      clang::Expr::EvalResult kind;
      const bool asks_least =
          expr->getArg(1)->EvaluateAsInt(kind, file_.context) && (kind.Val.getInt().getExtValue() & 2) != 0;
      clang::Expr::EvalResult size;
      if (expr->EvaluateAsInt(size, file_.context)) return known(size.Val.getInt(), expr);
      return constant(asks_least ? 0 : -1, value_type(expr));
    }
    case clang::Builtin::BI__builtin_setjmp:
    case clang::Builtin::BI__builtin_longjmp: return refuse("__builtin_setjmp", expr, expr->getType());
    default: break;
  }
  clang::Expr::EvalResult result;
  if (expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(result, file_.context)) {
    return known(result.Val.getInt(), expr);
  }
  return std::nullopt;
}

// What alloca gives lives longer here than there: until the thread ends.
ExprId FunctionTranslator::allocate(ExprId size) {
  const ir::TypeId untyped = file_.types.pointer_to(file_.types.void_type());
  const PlaceId memory = temporary(untyped);
  Node call = node(Node::Kind::Call);
  call.callee = file_.symbols.function("__cohort_allocate", untyped);
  call.args = {cast(size, file_.types.value_type(file_.context.getSizeType()))};
  call.result = memory;
  flow_.emit(std::move(call));
  return load(memory);
}

// Calculated exactly in 64 bits, where the operands leave room for that, and compared with what is stored; in 64 bits,
// what was stored tells by itself.
ExprId FunctionTranslator::checked_arithmetic(const clang::CallExpr* expr, Op op) {
  const ExprId left = frozen(value(expr->getArg(0)));
  const ExprId right = frozen(value(expr->getArg(1)));
  const PlaceId result = settled(target_of(value(expr->getArg(2))));
  const ir::TypeId narrow = unqualified(unit_.place(result).type);
  constexpr unsigned half = 32;
  bool is_small = true;
  bool is_unsigned = true;
  bool is_alike = unit_.type(narrow).width == 2 * half;  // as large as can be, and nothing is lost on the way there
  for (const ir::TypeId id : {type_of(left), type_of(right), narrow}) {
    const ir::Type& type = unit_.type(id);
    is_small = is_small && (type.width < half || (type.width == half && type.is_signed));
    is_unsigned = is_unsigned && type.width <= half && !type.is_signed;
    const bool keeps_sign = type.is_signed == unit_.type(narrow).is_signed || (!type.is_signed && type.width <= half);
    is_alike = is_alike && keeps_sign;
  }
  const ir::TypeId truth = file_.types.int_type();
  if (is_small || is_unsigned) {
    const clang::QualType exact_type = is_small ? file_.context.LongLongTy : file_.context.UnsignedLongLongTy;
    const ir::TypeId wide = file_.types.value_type(exact_type);
    const ExprId exact = frozen(operation(op, wide, {cast(left, wide), cast(right, wide)}));
    emit_assign(result, cast(exact, narrow));
    return cast(operation(Op::Ne, truth, {cast(cast(exact, narrow), wide), exact}), value_type(expr));
  }
  const bool is_signed = unit_.type(narrow).is_signed;
  if (!is_alike || (is_signed && op == Op::Mul)) {
    return refuse("arithmetic with a check for overflow in so many bits", expr, expr->getType());
  }
  // It wraps around, which is no overflow here.
  const ir::TypeId bits = file_.types.value_type(file_.context.UnsignedLongLongTy);
  const ExprId one = cast(left, bits);
  const ExprId other = cast(right, bits);
  const ExprId wrapped = frozen(operation(op, bits, {one, other}));
  emit_assign(result, cast(wrapped, narrow));
  ExprId overflows;
  if (op == Op::Mul) {
    const ExprId is_zero = operation(Op::Eq, truth, {one, constant(0, bits)});
    const ExprId divisor = operation(Op::Conditional, bits, {is_zero, constant(1, bits), one});
    const ExprId differs = operation(Op::Ne, truth, {operation(Op::Div, bits, {wrapped, divisor}), other});
    overflows = operation(Op::Conditional, truth, {is_zero, constant(0, truth), differs});
  } else if (is_signed) {
    // The sign of the result is not the one that the signs of the operands tell.
    const ExprId signs =
        op == Op::Add ? operation(Op::BitXor, bits, {other, wrapped}) : operation(Op::BitXor, bits, {one, other});
    const ExprId both = operation(Op::BitAnd, bits, {operation(Op::BitXor, bits, {one, wrapped}), signs});
    overflows =
        operation(Op::Ne, truth, {operation(Op::Shr, bits, {both, constant(2 * half - 1, bits)}), constant(0, bits)});
  } else {
    overflows = op == Op::Add ? operation(Op::Lt, truth, {wrapped, one}) : operation(Op::Lt, truth, {one, other});
  }
  return cast(overflows, value_type(expr));
}

void FunctionTranslator::call_library(const std::string& name, std::vector<ExprId> args) {
  Node call = node(Node::Kind::Call);
  call.callee = file_.symbols.function(name, file_.types.void_type());
  unit_.functions[call.callee->value].is_library = true;
  call.args = std::move(args);
  flow_.emit(std::move(call));
}

}  // namespace cohort::frontend::c::parse
