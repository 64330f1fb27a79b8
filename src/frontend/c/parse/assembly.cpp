// Inline assembly of the kinds that locks and counters are made of, in the syntax of the GNU assembler for x86: each
// instruction is taken as what it does to its operands.  One with the prefix lock, and every exchange, makes the whole
// statement one indivisible step.  Whatever else there is in a text is refused, with the text.
#include <algorithm>
#include <cctype>

#include <clang/AST/Stmt.h>
#include <fmt/format.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Op;
using ir::PlaceId;

// The operands are numbered, outputs first.  A memory operand is the object itself; the others are temporaries, from
// which those that are outputs are stored at the end.
struct FunctionTranslator::Assembly {
  struct Operand {
    std::string name;
    PlaceId value;                    // where instructions find it
    std::optional<PlaceId> output{};  // where it goes at the end
    bool is_accumulator = false;
  };

  std::vector<Operand> operands;
  std::optional<PlaceId> zero{};  // flags that an instruction has set
  std::optional<PlaceId> carry{};
  std::uint32_t group = 0;
};

// Operands by number, as written: the source first.
struct FunctionTranslator::Instruction {
  std::string name;
  std::vector<std::string> operands;
};

namespace {

bool is_memory(llvm::StringRef constraint) {
  return constraint.contains('m') && !constraint.contains('r') && !constraint.contains('q');
}

// The instructions of a text, with `lock` as one of its own.
std::vector<std::string> lines_of(llvm::StringRef text) {
  std::vector<std::string> lines;
  std::string line;
  const auto end = [&] {
    const llvm::StringRef trimmed = llvm::StringRef(line).trim();
    if (!trimmed.empty()) lines.push_back(trimmed.lower());
    line.clear();
  };
  for (const char character : text) {
    if (character == ';' || character == '\n') {
      end();
    } else {
      line += character == '\t' ? ' ' : character;
    }
  }
  end();
  return lines;
}

// Instructions whose names may carry the size of their operands.
llvm::StringRef without_size(llvm::StringRef name) {
  constexpr llvm::StringLiteral sized[] = {"mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "add", "sub",
                                           "and", "or",   "xor",  "bts",     "btr", "sbb", "not", "neg"};
  if (name.empty() || !llvm::StringRef("bwlq").contains(name.back())) return name;
  return llvm::is_contained(sized, name.drop_back()) ? name.drop_back() : name;
}

// `%1`, `%b1` and `%[name]` as `%1`, and what is no operand as it is; none where there is no such operand.
std::optional<std::string> operand_name(llvm::StringRef written, const std::vector<std::string>& names) {
  if (!written.consume_front("%")) return written.str();
  if (written.size() > 1 && std::isalpha(static_cast<unsigned char>(written.front())) != 0) {
    written = written.drop_front();  // the size of the register
  }
  unsigned number = 0;
  if (written.consume_front("[")) {
    if (!written.consume_back("]")) return std::nullopt;
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return llvm::StringRef(name).equals_insensitive(written);
    });
    number = static_cast<unsigned>(found - names.begin());
  } else if (written.getAsInteger(10, number)) {
    return std::nullopt;
  }
  if (number >= names.size()) return std::nullopt;
  return "%" + std::to_string(number);
}

bool is_hint(llvm::StringRef name) {
  constexpr llvm::StringLiteral hints[] = {"nop", "pause", "rep", "rep nop", "mfence", "lfence", "sfence", "yield"};
  return llvm::is_contained(hints, name);
}

}  // namespace

bool FunctionTranslator::read_operands(const clang::GCCAsmStmt* statement, Assembly& assembly) {
  for (unsigned i = 0; i < statement->getNumOutputs(); ++i) {
    const clang::Expr* expr = statement->getOutputExpr(i);
    const std::string constraint = statement->getOutputConstraint(i).str();
    if (!expr->getType()->isIntegralOrEnumerationType() && !expr->getType()->isPointerType()) return false;
    const PlaceId target = settled(place(expr));
    Assembly::Operand operand{statement->getOutputName(i).str(), target};
    if (!is_memory(constraint)) {
      operand.value = temporary(unqualified(unit_.place(target).type));
      operand.output = target;
      if (constraint.front() == '+') emit_assign(operand.value, load(target));
    }
    operand.is_accumulator = llvm::StringRef(constraint).contains('a');
    assembly.operands.push_back(std::move(operand));
  }
  for (unsigned i = 0; i < statement->getNumInputs(); ++i) {
    const clang::Expr* expr = statement->getInputExpr(i);
    const std::string constraint = statement->getInputConstraint(i).str();
    if (!expr->getType()->isIntegralOrEnumerationType() && !expr->getType()->isPointerType()) return false;
    Assembly::Operand operand{statement->getInputName(i).str(), {}};
    operand.is_accumulator = llvm::StringRef(constraint).contains('a');
    if (is_memory(constraint)) {
      if (!expr->isGLValue()) return false;
      operand.value = settled(place(expr));
    } else if (std::isdigit(static_cast<unsigned char>(constraint.front())) != 0) {
      const auto tied = static_cast<std::size_t>(std::stoi(constraint));
      if (tied >= statement->getNumOutputs()) return false;
      Assembly::Operand& output = assembly.operands[tied];
      operand.value = output.value;
      if (output.output) {
        emit_assign(output.value, cast(value(expr), unit_.place(output.value).type));
      } else {
        evaluate(value(expr));
      }
    } else {
      const ExprId given = value(expr);
      operand.value = temporary(type_of(given));
      emit_assign(operand.value, given);
    }
    assembly.operands.push_back(std::move(operand));
  }
  return true;
}

void FunctionTranslator::set_flag(std::optional<PlaceId>& flag, ExprId value, Assembly& assembly) {
  if (!flag) flag = temporary(file_.types.int_type());
  emit_assign(*flag, cast(value, file_.types.int_type()), assembly.group);
}

// Stores a flag in the operand; false where the instruction is none of these.
bool FunctionTranslator::change_flag(const Instruction& instruction, Assembly& assembly) {
  const llvm::StringRef name = instruction.name;
  const bool zero = name == "sete" || name == "setz" || name == "setne" || name == "setnz";
  const bool carry = name == "setc" || name == "setb" || name == "setnc" || name == "setae";
  const auto& flag = zero ? assembly.zero : assembly.carry;
  if ((!zero && !carry) || !flag || instruction.operands.size() != 1) return false;
  ExprId truth = load(*flag);
  const bool negated = name.starts_with("setn") || name == "setae";
  if (negated) truth = operation(Op::LogicalNot, file_.types.int_type(), {truth});
  for (const Assembly::Operand& operand : assembly.operands) {
    if (operand.name != instruction.operands[0]) continue;
    emit_assign(operand.value, cast(truth, unqualified(unit_.place(operand.value).type)), assembly.group);
    return true;
  }
  return false;
}

bool FunctionTranslator::execute(const Instruction& instruction, Assembly& assembly) {
  const llvm::StringRef name = instruction.name;
  if (is_hint(name) && instruction.operands.empty()) return true;
  if (change_flag(instruction, assembly)) return true;
  std::vector<PlaceId> places;
  std::optional<ExprId> immediate;
  for (const std::string& written : instruction.operands) {
    const auto found = std::find_if(assembly.operands.begin(), assembly.operands.end(),
                                    [&](const Assembly::Operand& operand) { return operand.name == written; });
    if (found != assembly.operands.end()) {
      places.push_back(found->value);
    } else {
      std::int64_t number = 0;
      if (!llvm::StringRef(written).starts_with("$") || llvm::StringRef(written).drop_front().getAsInteger(0, number)) {
        return false;
      }
      immediate = constant(number, file_.types.value_type(file_.context.LongLongTy));
    }
  }
  if (places.empty()) return false;
  const PlaceId to = places.back();
  const ir::TypeId type = unqualified(unit_.place(to).type);
  const auto kept = [&](ExprId value) {
    const PlaceId saved = temporary(type);
    emit_assign(saved, value, assembly.group);
    return load(saved);
  };
  const auto write = [&](PlaceId place, ExprId value) {
    emit_assign(place, cast(value, unqualified(unit_.place(place).type)), assembly.group);
  };
  const auto source = [&] { return cast(immediate ? *immediate : load(places.front()), type); };
  if (instruction.operands.size() == 1) {
    const ExprId before = kept(load(to));
    const ExprId one = constant(1, type);
    if (name == "inc" || name == "dec") {
      write(to, operation(name == "inc" ? Op::Add : Op::Sub, type, {before, one}));
      set_flag(assembly.zero,
               operation(Op::Eq, file_.types.int_type(), {before, constant(name == "inc" ? -1 : 1, type)}), assembly);
      return true;
    }
    if (name != "not" && name != "neg") return false;
    write(to, operation(name == "not" ? Op::BitNot : Op::Neg, type, {before}));
    return true;
  }
  if (instruction.operands.size() != 2) return false;
  if (name == "mov") {
    write(to, source());
    return true;
  }
  if (name == "sbb" && assembly.carry && instruction.operands[0] == instruction.operands[1]) {
    write(to, operation(Op::Neg, type, {cast(load(*assembly.carry), type)}));
    return true;
  }
  const ExprId before = kept(load(to));
  const ExprId given = kept(source());
  if (name == "xchg" || name == "xadd") {
    if (places.size() != 2) return false;
    write(to, name == "xchg" ? given : operation(Op::Add, type, {before, given}));
    write(places.front(), before);
    return true;
  }
  if (name == "cmpxchg") {
    const auto accumulator = std::find_if(assembly.operands.begin(), assembly.operands.end(),
                                          [](const Assembly::Operand& operand) { return operand.is_accumulator; });
    if (accumulator == assembly.operands.end()) return false;
    const ExprId expected = cast(load(accumulator->value), type);
    set_flag(assembly.zero, operation(Op::Eq, file_.types.int_type(), {before, expected}), assembly);
    write(to, operation(Op::Conditional, type, {load(*assembly.zero), given, before}));
    write(accumulator->value, before);
    return true;
  }
  if (name == "bts" || name == "btr") {
    const ExprId bit = kept(operation(Op::Shl, type, {constant(1, type), given}));
    set_flag(assembly.carry,
             operation(Op::Ne, file_.types.int_type(), {operation(Op::BitAnd, type, {before, bit}), constant(0, type)}),
             assembly);
    write(to, name == "bts" ? operation(Op::BitOr, type, {before, bit})
                            : operation(Op::BitAnd, type, {before, operation(Op::BitNot, type, {bit})}));
    return true;
  }
  constexpr std::pair<llvm::StringLiteral, Op> operations[] = {
      {"add", Op::Add}, {"sub", Op::Sub}, {"and", Op::BitAnd}, {"or", Op::BitOr}, {"xor", Op::BitXor}};
  for (const auto& [known, op] : operations) {
    if (name != known) continue;
    const ExprId result = kept(operation(op, type, {before, given}));
    write(to, result);
    set_flag(assembly.zero, operation(Op::Eq, file_.types.int_type(), {result, constant(0, type)}), assembly);
    return true;
  }
  return false;
}

void FunctionTranslator::assembly(const clang::Stmt* statement) {
  const auto* gcc = llvm::cast<clang::GCCAsmStmt>(statement);
  const Context context(*this, statement->getSourceRange());
  ++statement_;
  const std::string text = gcc->getAsmString()->getString().str();
  const std::vector<std::string> lines = lines_of(text);
  const auto refused = [&] {
    refuse(fmt::format("inline assembly \"{}\"", fmt::join(lines, "; ")), statement, file_.context.VoidTy);
  };
  Assembly assembly;
  if (gcc->isAsmGoto() || !read_operands(gcc, assembly)) return refused();
  const bool is_counter = lines.size() == 1 && (lines[0] == "rdtsc" || lines[0] == "rdtscp");
  std::vector<std::string> names;
  for (const Assembly::Operand& operand : assembly.operands) names.push_back(operand.name);
  std::vector<Instruction> instructions;
  bool is_locked = false;
  for (llvm::StringRef line : lines) {
    is_locked = line.consume_front("lock") || is_locked;
    line = line.ltrim();
    if (line.empty() || is_counter) continue;
    auto [name, rest] = line.split(' ');
    if (is_hint(line)) std::tie(name, rest) = std::pair(line, llvm::StringRef());
    Instruction instruction{without_size(name).str(), {}};
    is_locked = is_locked || instruction.name == "xchg";
    llvm::SmallVector<llvm::StringRef, 3> written;
    rest.split(written, ',', -1, false);
    for (llvm::StringRef operand : written) {
      const auto known = operand_name(operand.trim(), names);
      if (!known) return refused();
      instruction.operands.push_back(*known);
    }
    instructions.push_back(std::move(instruction));
  }
  for (std::size_t i = 0; i < assembly.operands.size(); ++i) assembly.operands[i].name = "%" + std::to_string(i);
  if (is_locked) assembly.group = ++atomic_groups_;
  for (const Instruction& instruction : instructions) {
    if (!execute(instruction, assembly)) return refused();
  }
  for (const Assembly::Operand& operand : assembly.operands) {
    if (!operand.output) continue;
    const ir::TypeId type = unqualified(unit_.place(*operand.output).type);
    emit_assign(*operand.output, is_counter ? nondet(type) : load(operand.value));
  }
}

}  // namespace cohort::frontend::c::parse
