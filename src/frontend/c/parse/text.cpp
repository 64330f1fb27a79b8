// Calls that read and write text by a format: what they do is taken apart by the directives of the format, where that
// is a literal, into calls of models (library/text.c).
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "frontend/c/parse/format.hpp"
#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;
using ir::PlaceId;

namespace {

constexpr std::size_t longest_format = 200;
constexpr int no_limit = 0x7fffffff;

// Where the format stands among the arguments of a function that prints.
std::optional<unsigned> format_of(llvm::StringRef name) {
  if (name == "printf" || name == "warn" || name == "warnx") return 0;
  if (name == "fprintf" || name == "dprintf" || name == "sprintf" || name == "syslog") return 1;
  if (name == "err" || name == "errx") return 1;
  if (name == "snprintf" || name == "error") return 2;
  return std::nullopt;
}

const clang::StringLiteral* literal_in(const clang::CallExpr* call, unsigned index) {
  if (index >= call->getNumArgs()) return nullptr;
  const auto* literal = llvm::dyn_cast<clang::StringLiteral>(call->getArg(index)->IgnoreParenCasts());
  return literal != nullptr && literal->getCharByteWidth() == 1 ? literal : nullptr;
}

std::optional<std::vector<Directive>> print_format(const clang::CallExpr* call, unsigned index) {
  const clang::StringLiteral* literal = literal_in(call, index);
  return literal == nullptr ? std::nullopt : parse_print_format(literal->getString().str());
}

int base_of(char letter) {
  if (letter == 'i') return 0;
  if (letter == 'o') return 8;
  return letter == 'x' || letter == 'X' ? 16 : 10;
}

}  // namespace

ExprId FunctionTranslator::call_model(const std::string& name, std::vector<ExprId> args, ir::TypeId type) {
  Node call = node(Node::Kind::Call);
  call.callee = file_.symbols.function(name, type);
  call.args = std::move(args);
  if (unit_.type(type).kind == ir::Type::Kind::Void) {
    flow_.emit(std::move(call));
    return nondet(type);
  }
  const PlaceId result = temporary(type);
  call.result = result;
  flow_.emit(std::move(call));
  return load(result);
}

// What printf and its kind read of the texts they are given.
void FunctionTranslator::read_printed_text(const clang::CallExpr* call, llvm::StringRef name,
                                           std::vector<ExprId>& args) {
  // How much has been printed is not known.
  const auto count = [&](std::size_t index) {
    if (index >= args.size() || unit_.type(type_of(args[index])).kind != ir::Type::Kind::Pointer) return;
    const PlaceId target = settled(target_of(args[index]));
    const ir::TypeId type = unqualified(unit_.place(target).type);
    if (unit_.type(type).kind == ir::Type::Kind::Int) emit_assign(target, nondet(type));
  };
  const auto format = format_of(name);
  const auto directives = format ? print_format(call, *format) : std::nullopt;
  const bool may_be_null = name.starts_with("warn") || name.starts_with("err");
  if (!directives && format) read_text(args, *format, may_be_null ? "cohort_read_text_if_any" : "cohort_read_text");
  if (!directives) return;
  std::size_t next = *format + 1;
  for (const Directive& directive : *directives) {
    if (directive.kind != Directive::Kind::Conversion) continue;
    next += directive.width_given ? 1 : 0;
    std::optional<ExprId> most;
    if (directive.precision) most = constant(*directive.precision, file_.types.int_type());
    if (directive.precision_given && next < args.size()) most = args[next];
    next += directive.precision_given ? 1 : 0;
    if (directive.letter == 's') read_text(args, next, most ? "cohort_read_text_up_to" : "cohort_read_text", most);
    if (directive.letter == 'n') count(next);
    if (directive.letter != 'm') ++next;
  }
}

std::optional<ExprId> FunctionTranslator::formatted(const clang::CallExpr* call, llvm::StringRef name) {
  const std::size_t count = call->getNumArgs();
  if (name == "sprintf" && count >= 2) {
    return print_into(call, 1, constant(-1, file_.types.value_type(file_.context.UnsignedLongTy)));
  }
  // The model writes any text where the format does not show.
  if (name == "snprintf" && count >= 3 && literal_in(call, 2) != nullptr) return print_into(call, 2, std::nullopt);
  if (name.starts_with("__isoc")) name = name.substr(name.find('_', 2) + 1);
  if (name == "sscanf" && count >= 2) return scan(call);
  return std::nullopt;
}

ExprId FunctionTranslator::print_into(const clang::CallExpr* call, unsigned format, std::optional<ExprId> size) {
  const ir::TypeId number = file_.types.value_type(file_.context.UnsignedLongTy);
  const auto directives = print_format(call, format);
  if (!directives || directives->size() > longest_format) {
    return refuse("text written by a format that is not a short literal", call, call->getType());
  }
  const ExprId to = frozen(value(call->getArg(0)));
  if (!size) size = frozen(cast(value(call->getArg(1)), number));
  std::vector<ExprId> args;
  for (unsigned i = format + 1; i < call->getNumArgs(); ++i) args.push_back(frozen(value(call->getArg(i))));
  const PlaceId at = temporary(number);
  emit_assign(at, constant(0, number));
  std::size_t next = 0;
  for (const Directive& directive : *directives) {
    if (!print_directive(directive, {to, *size, at}, args, next)) {
      return refuse(fmt::format("the text that %{} writes", directive.letter), call, call->getType());
    }
  }
  call_model("cohort_put_end", {to, *size, load(at)}, file_.types.void_type());
  return cast(load(at), value_type(call));
}

bool FunctionTranslator::print_directive(const Directive& directive, const Printed& printed,
                                         const std::vector<ExprId>& args, std::size_t& next) {
  const ir::TypeId integer = file_.types.int_type();
  const ir::TypeId number = file_.types.value_type(file_.context.UnsignedLongTy);
  const ir::TypeId signed_number = file_.types.value_type(file_.context.LongTy);
  const auto put = [&](const char* name, std::vector<ExprId> rest) {
    std::vector<ExprId> all = {printed.to, printed.size, load(printed.at)};
    all.insert(all.end(), rest.begin(), rest.end());
    emit_assign(printed.at, call_model(name, std::move(all), number));
    return true;
  };
  const auto given = [&]() { return next < args.size() ? args[next++] : nondet(integer); };
  if (directive.kind == Directive::Kind::Character) return put("cohort_put", {constant(directive.letter, integer)});
  const ExprId flags = constant(directive.flags, integer);
  const ExprId width = directive.width_given ? given() : constant(directive.width.value_or(0), integer);
  const ExprId precision = directive.precision_given ? given() : constant(directive.precision.value_or(-1), integer);
  if (next >= args.size()) return false;
  ExprId value = given();
  const bool is_integer = unit_.type(type_of(value)).kind == ir::Type::Kind::Int;
  if (is_integer && directive.halvings > 0) {
    ir::Type narrow = unit_.type(type_of(value));
    narrow.width = directive.halvings == 1 ? 16 : 8;
    narrow.is_signed = directive.letter == 'd' || directive.letter == 'i';
    value = cast(value, unit_.add_type(std::move(narrow)));
  }
  const auto put_unsigned = [&](int base) {
    ir::Type plain = unit_.type(type_of(value));
    plain.is_signed = false;
    const ExprId magnitude = cast(cast(value, unit_.add_type(plain)), number);
    // Only numbers that may have a sign are written with one.
    const ExprId rest = constant(directive.flags & ~(FormatFlag::Plus | FormatFlag::Blank), integer);
    return put("cohort_put_number", {magnitude, constant(0, integer), constant(base, integer), rest, width, precision});
  };
  switch (directive.letter) {
    case 'd':
    case 'i': return is_integer && put("cohort_put_signed", {cast(value, signed_number), flags, width, precision});
    case 'u': return is_integer && put_unsigned(10);
    case 'x':
    case 'X': return is_integer && put_unsigned(16);
    case 'o': return is_integer && put_unsigned(8);
    case 'c': return is_integer && put("cohort_put_character", {value, flags, width});
    case 's': return !is_integer && put("cohort_put_text", {value, flags, width, precision});
    case 'p': return !is_integer && put("cohort_put_any", {width, constant(12, integer)});
    case 'e':
    case 'f':
    case 'g': return (is_float(value) || file_.exact_floats) && put("cohort_put_any", {width, precision});
    default: return false;
  }
}

ExprId FunctionTranslator::scan(const clang::CallExpr* call) {
  const clang::StringLiteral* literal = literal_in(call, 1);
  const auto directives = literal == nullptr ? std::nullopt : parse_scan_format(literal->getString().str());
  if (!directives) return refuse("text read by a format that is not a simple literal", call, call->getType());
  const ir::TypeId integer = file_.types.int_type();
  const ExprId source = frozen(value(call->getArg(0)));
  std::vector<ExprId> args;
  for (unsigned i = 2; i < call->getNumArgs(); ++i) args.push_back(frozen(value(call->getArg(i))));
  const PlaceId count = temporary(integer);
  emit_assign(count, constant(0, integer));
  Flow::Label any;
  Flow::Label exact;
  Flow::Label end;
  Flow::Label met;
  Node test = node(Node::Kind::Branch);
  test.value = call_model("cohort_is_any_text", {source}, integer);
  flow_.branch(std::move(test), any, exact);
  flow_.bind(any);
  std::vector<ExprId> all = {source, constant(0, type_of(source))};
  all.insert(all.end(), args.begin(), args.end());
  emit_assign(count, call_model("sscanf", std::move(all), integer));
  flow_.jump(met);
  flow_.bind(exact);
  const PlaceId at = temporary(type_of(source));
  unit_.objects[unit_.place(at).object->value].is_temporary = false;  // the models move it on
  emit_assign(at, source);
  std::size_t next = 0;
  for (const Directive& directive : *directives) {
    if (!scan_directive(directive, {source, at, count}, args, next, end)) {
      return refuse(fmt::format("what %{} reads", directive.letter), call, call->getType());
    }
  }
  flow_.jump(met);
  flow_.bind(end);
  // The text ended before anything was read.
  Flow::Label empty;
  Node nothing = node(Node::Kind::Branch);
  nothing.value = operation(Op::Eq, integer, {load(count), constant(0, integer)});
  flow_.branch(std::move(nothing), empty, met);
  flow_.bind(empty);
  emit_assign(count, operation(Op::Neg, integer, {call_model("cohort_scan_ended", {source}, integer)}));
  flow_.bind(met);
  return load(count);
}

bool FunctionTranslator::scan_directive(const Directive& directive, const Scanned& scanned,
                                        const std::vector<ExprId>& args, std::size_t& next, Flow::Label& end) {
  const ir::TypeId integer = file_.types.int_type();
  const ir::TypeId wide = file_.types.value_type(file_.context.LongTy);
  const ExprId at = address_of(scanned.at);
  const auto require = [&](const char* name, std::vector<ExprId> rest) {
    rest.insert(rest.begin(), at);
    Node test = node(Node::Kind::Branch);
    test.value = call_model(name, std::move(rest), integer);
    Flow::Label met;
    flow_.branch(std::move(test), met, end);
    flow_.bind(met);
  };
  const auto counted = [&] {
    emit_assign(scanned.count, operation(Op::Add, integer, {load(scanned.count), constant(1, integer)}));
    return true;
  };
  if (directive.kind == Directive::Kind::Space) {
    call_model("cohort_scan_space", {at}, integer);
    return true;
  }
  if (directive.kind == Directive::Kind::Character) {
    require("cohort_scan_character", {constant(directive.letter, integer)});
    return true;
  }
  const bool is_text = directive.letter == 'c' || directive.letter == 's';
  if (directive.is_suppressed && (is_text || directive.letter == 'n')) return false;
  if (!directive.is_suppressed && next >= args.size()) return false;
  const std::optional<ExprId> target = directive.is_suppressed ? std::nullopt : std::optional(args[next++]);
  if (is_text) {
    const int most = directive.width.value_or(directive.letter == 'c' ? 1 : no_limit);
    require(directive.letter == 'c' ? "cohort_scan_byte" : "cohort_scan_word", {constant(most, integer), *target});
    return counted();
  }
  const ir::TypeId stored = target ? unit_.type(type_of(*target)).target : wide;
  if (unit_.type(stored).kind != ir::Type::Kind::Int) return false;
  if (directive.letter == 'n') {
    const ExprId length = operation(Op::PointerDiff, wide, {load(scanned.at), scanned.source});
    emit_assign(target_of(*target), cast(length, unqualified(stored)));
    return true;
  }
  const int base = base_of(directive.letter);
  const PlaceId read = temporary(wide);
  unit_.objects[unit_.place(read).object->value].is_temporary = false;  // a model stores it
  require("cohort_scan_integer",
          {constant(base, integer), constant(directive.width.value_or(no_limit), integer), address_of(read)});
  if (!target) return true;
  emit_assign(target_of(*target), cast(load(read), unqualified(stored)));
  return counted();
}

}  // namespace cohort::frontend::c::parse
