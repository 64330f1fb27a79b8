// The text of a Unit, for tests and for people who debug the front end: declarations first, then each function with one
// line a node.
#include "frontend/c/ir/print.hpp"

#include <fmt/format.h>

#include "base/contract.hpp"

namespace cohort::frontend::c::ir {

const char* symbol(Op op) {
  switch (op) {
    case Op::Neg:
    case Op::Sub: return "-";
    case Op::BitNot: return "~";
    case Op::LogicalNot: return "!";
    case Op::Add: return "+";
    case Op::Mul: return "*";
    case Op::Div: return "/";
    case Op::Mod: return "%";
    case Op::Shl: return "<<";
    case Op::Shr: return ">>";
    case Op::BitAnd: return "&";
    case Op::BitOr: return "|";
    case Op::BitXor: return "^";
    case Op::Eq: return "==";
    case Op::Ne: return "!=";
    case Op::Lt: return "<";
    case Op::Le: return "<=";
    case Op::Gt: return ">";
    case Op::Ge: return ">=";
    case Op::LogicalAnd: return "&&";
    case Op::LogicalOr: return "||";
    case Op::PointerAdd: return "+p";
    case Op::PointerDiff: return "-p";
    default: COHORT_UNREACHABLE("only operators have a symbol");
  }
}

namespace {

class Printer {
 public:
  explicit Printer(const Unit& unit) : unit_(unit) {}

  std::string print() {
    for (const Record& record : unit_.records) print_record(record);
    for (const Object& object : unit_.objects) {
      if (object.storage != Object::Storage::Automatic) print_object(object);
    }
    for (const Function& function : unit_.functions) {
      if (function.has_body || !function.is_library) print_function(function);
    }
    return std::move(text_);
  }

 private:
  std::string name(TypeId id) const {
    const Type& type = unit_.type(id);
    const std::string qualifiers =
        std::string(type.is_atomic ? "_Atomic " : "") + (type.is_volatile ? "volatile " : "");
    switch (type.kind) {
      case Type::Kind::Void: return qualifiers + "void";
      case Type::Kind::Bool: return qualifiers + "bool";
      case Type::Kind::Int: return qualifiers + (type.is_signed ? "i" : "u") + std::to_string(type.width);
      case Type::Kind::Pointer: return name(type.target) + "*" + (qualifiers.empty() ? "" : " " + qualifiers);
      case Type::Kind::Array: return fmt::format("{}[{}]", name(type.target), type.count);
      case Type::Kind::Record: return qualifiers + unit_.record(type.record).name;
      case Type::Kind::Function: return name(type.target) + "()";
      case Type::Kind::Unsupported: return fmt::format("<{}>", type.reason);
    }
    COHORT_UNREACHABLE("every kind of type has a name");
  }

  std::string expr(ExprId id) const {
    const Expr& e = unit_.expr(id);
    switch (e.op) {
      case Op::Const:
        return unit_.type(e.type).kind == Type::Kind::Pointer && e.value == 0 ? "NULL" : std::to_string(e.value);
      case Op::Nondet: return "*";
      case Op::Load: return place(e.place);
      case Op::AddressOf: return "&" + place(e.place);
      case Op::FunctionAddr: return "&" + unit_.function(e.function).name;
      case Op::Text: return fmt::format("{:?}", e.text);
      case Op::Cast: return fmt::format("({}){}", name(e.type), expr(e.args[0]));
      case Op::Neg:
      case Op::BitNot:
      case Op::LogicalNot: return symbol(e.op) + expr(e.args[0]);
      case Op::Conditional: return fmt::format("({} ? {} : {})", expr(e.args[0]), expr(e.args[1]), expr(e.args[2]));
      default: return fmt::format("({} {} {})", expr(e.args[0]), symbol(e.op), expr(e.args[1]));
    }
  }

  std::string place(PlaceId id) const {
    const Place& p = unit_.place(id);
    std::string text = p.object ? unit_.object(*p.object).name : fmt::format("(*{})", expr(p.pointer));
    TypeId type = p.base_type;
    for (const Place::Step& step : p.steps) {
      if (step.kind == Place::Step::Kind::Index) {
        text += fmt::format("[{}]", expr(step.index));
        type = unit_.type(type).target;
      } else {
        const Field& field = unit_.record(unit_.type(type).record).fields[step.field];
        text += "." + field.name;
        type = field.type;
      }
    }
    return text;
  }

  void print_record(const Record& record) {
    text_ += fmt::format("{} {}{} {} bytes", record.is_union ? "union" : "struct", record.name,
                         record.complete ? "" : " incomplete", record.size);
    for (const Field& field : record.fields) {
      text_ += fmt::format("; {} {} @{}", name(field.type), field.name, field.offset);
    }
    text_ += "\n";
  }

  void print_object(const Object& object) {
    text_ += fmt::format("{}{}{} {}", object.is_extern ? "extern " : "", object.is_internal ? "static " : "",
                         object.storage == Object::Storage::Thread ? "thread" : "object", name(object.type));
    text_ += " " + object.name;
    for (const InitialValue& initial : object.initial) {
      text_ += "; ";
      for (const std::uint64_t step : initial.path) text_ += fmt::format(".{}", step);
      text_ += " = " + expr(initial.value);
    }
    text_ += "\n";
  }

  void print_function(const Function& function) {
    text_ += fmt::format("{}{} {}(", function.is_internal ? "static " : "", name(function.result), function.name);
    for (std::size_t i = 0; i < function.params.size(); ++i) {
      const Object& param = unit_.object(function.params[i]);
      text_ += fmt::format("{}{} {}", i > 0 ? ", " : "", name(param.type), param.name);
    }
    text_ += function.is_variadic ? ", ...)" : ")";
    if (!function.has_body) {
      text_ += "\n";
      return;
    }
    text_ += fmt::format(" entry {}\n", function.entry.value);
    for (std::size_t i = 0; i < function.nodes.size(); ++i) {
      text_ += fmt::format("  {}: {}\n", i, line(function.nodes[i]));
    }
  }

  std::string line(const Node& node) const {
    std::string text = action(node);
    if (node.atomic_group != 0) text += fmt::format(" [atomic {}]", node.atomic_group);
    if (!node.next.empty()) text += " ->";
    for (const NodeId next : node.next) text += fmt::format(" {}", next.value);
    return text;
  }

  std::string action(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::Assign: return fmt::format("{} := {}", place(node.place), expr(node.value));
      case Node::Kind::Branch: return fmt::format("branch {}", expr(node.value));
      case Node::Kind::Skip: return "skip";
      case Node::Kind::Call: return call(node);
      case Node::Kind::Return: return node.has_value ? "return " + expr(node.value) : "return";
      case Node::Kind::Declare:
        return fmt::format("declare {} {}", name(unit_.object(*node.object).type), unit_.object(*node.object).name);
      case Node::Kind::Live: return "live " + unit_.object(*node.object).name;
      case Node::Kind::Leave: return "leave " + unit_.object(*node.object).name;
      case Node::Kind::Async: return "async";
      case Node::Kind::EndAsync: return "end async";
      case Node::Kind::Unsupported: return "unsupported: " + node.text;
    }
    COHORT_UNREACHABLE("every kind of node has a text");
  }

  std::string call(const Node& node) const {
    std::string text = node.result ? place(*node.result) + " := " : "";
    text += node.callee ? unit_.function(*node.callee).name : fmt::format("(*{})", expr(node.callee_pointer));
    text += "(";
    for (std::size_t i = 0; i < node.args.size(); ++i) text += (i > 0 ? ", " : "") + expr(node.args[i]);
    return text + ")";
  }

  const Unit& unit_;
  std::string text_;
};

}  // namespace

std::string to_string(const Unit& unit) {
  return Printer(unit).print();
}

}  // namespace cohort::frontend::c::ir
