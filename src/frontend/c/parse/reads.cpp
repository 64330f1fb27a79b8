// What functions of the library read of the program's memory though their models do not depend on it: names of files,
// texts that are printed, bytes that are written, attributes, points in time.  Only who looks for faults or races can
// tell, so only then it is read, before the call.  Three tables say what is read: texts up to their 0, bytes of a given
// number, and, of any function of the library, the object that a pointer to something constant leads to.
#include <clang/AST/Expr.h>

#include "frontend/c/parse/function.hpp"

namespace cohort::frontend::c::parse {

using ir::ExprId;
using ir::Node;
using ir::Op;

namespace {

struct TextArgument {
  llvm::StringRef function;
  unsigned text = 0;
  bool may_be_null = false;
};

constexpr TextArgument text_arguments[] = {
    {"puts", 0},
    {"fputs", 0},
    {"perror", 0, true},
    {"fopen", 0},
    {"fopen", 1},
    {"fdopen", 1},
    {"remove", 0},
    {"unlink", 0},
    {"open", 0},
    {"getenv", 0},
    {"setlocale", 1, true},
    {"sem_open", 0},
    {"sem_unlink", 0},
    {"strftime", 2},
    {"pthread_setname_np", 1},
    {"vprintf", 0},
    {"vfprintf", 1},
    {"vsnprintf", 2},
    {"vwarn", 0, true},
    {"vwarnx", 0, true},
    {"verr", 1, true},
    {"verrx", 1, true},
    {"popen", 0},
    {"popen", 1},
    {"freopen", 0, true},
    {"freopen", 1},
    {"fputs_unlocked", 0},
    {"opendir", 0},
    {"getaddrinfo", 0, true},
    {"getaddrinfo", 1, true},
    {"gethostbyname", 0},
    {"creat", 0},
};

struct ByteArgument {
  llvm::StringRef function;
  unsigned bytes = 0;
  unsigned size = 0;
  std::optional<unsigned> count{};
};

constexpr ByteArgument byte_arguments[] = {
    {"fwrite", 0, 1, 2},
    {"fwrite_unlocked", 0, 1, 2},
    {"write", 1, 2},
    {"send", 1, 2},
    {"sendto", 1, 2},
    {"sendto", 4, 5},
    {"pwrite", 1, 2},
    {"bind", 1, 2},
    {"connect", 1, 2},
    {"setsockopt", 3, 4},
    {"pthread_setaffinity_np", 2, 1},
};

// Models of waits with a limit look at the limit themselves.
bool reads_by_itself(llvm::StringRef name) {
  return name.contains("timed") || name.contains("_clock") || name.starts_with("sig") || name.contains("sigmask");
}

}  // namespace

void FunctionTranslator::read_given_memory(const clang::CallExpr* call, llvm::StringRef name,
                                           std::vector<ExprId>& args) {
  read_printed_text(call, name, args);
  if (!file_.text_is_read || unit_.function(id_).is_library) return;
  for (const TextArgument& entry : text_arguments) {
    if (entry.function == name) {
      read_text(args, entry.text, entry.may_be_null ? "cohort_read_text_if_any" : "cohort_read_text");
    }
  }
  const ir::TypeId number = file_.types.value_type(file_.context.UnsignedLongTy);
  for (const ByteArgument& entry : byte_arguments) {
    const std::size_t last = std::max({entry.bytes, entry.size, entry.count.value_or(0)});
    if (entry.function != name || last >= args.size() || unit_.expr(args[entry.bytes]).op == Op::Text) continue;
    for (ExprId& arg : args) arg = frozen(arg);
    ExprId size = cast(args[entry.size], number);
    if (entry.count) size = operation(Op::Mul, number, {size, cast(args[*entry.count], number)});
    call_model("cohort_read_memory", {args[entry.bytes], size}, file_.types.void_type());
  }
  if (!reads_by_itself(name)) read_constant_objects(call, args);
}

void FunctionTranslator::read_text(std::vector<ExprId>& args, std::size_t index, const char* reader,
                                   std::optional<ExprId> most) {
  if (!file_.text_is_read || index >= args.size() || unit_.expr(args[index]).op == Op::Text) return;
  if (unit_.type(type_of(args[index])).kind != ir::Type::Kind::Pointer) return;
  args[index] = frozen(args[index]);
  std::vector<ExprId> given = {args[index]};
  if (most) given.push_back(*most);
  call_model(reader, std::move(given), file_.types.void_type());
}

// Whoever takes a pointer to a constant record or number, which may be NULL, reads what it leads to.
void FunctionTranslator::read_constant_objects(const clang::CallExpr* call, std::vector<ExprId>& args) {
  constexpr std::int64_t most_bytes = 64;
  const clang::FunctionDecl* callee = call->getDirectCallee();
  for (unsigned i = 0; i < std::min<std::size_t>(callee->getNumParams(), args.size()); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    if (!type->isPointerType() || !type->getPointeeType().isConstQualified()) continue;
    const clang::QualType target = type->getPointeeType();
    const bool is_number = target->isIntegerType() && !target->isAnyCharacterType();
    if (target->isIncompleteType() || !(is_number || target->isRecordType())) continue;
    if (file_.context.getTypeSizeInChars(target).getQuantity() > most_bytes) continue;
    args[i] = frozen(args[i]);
    Flow::Label yes;
    Flow::Label no;
    Node test = node(Node::Kind::Branch);
    test.value = operation(Op::Ne, file_.types.int_type(), {args[i], constant(0, type_of(args[i]))});
    flow_.branch(std::move(test), yes, no);
    flow_.bind(yes);
    const ir::PlaceId place = target_of(args[i]);
    if (unit_.type(unit_.place(place).type).kind != ir::Type::Kind::Unsupported) evaluate(load(place));
    flow_.bind(no);
  }
}

}  // namespace cohort::frontend::c::parse
