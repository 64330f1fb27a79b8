#include "frontend/c/library/library.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "frontend/c/ir/names.hpp"

namespace cohort::frontend::c::library {

namespace {

constexpr std::string_view linux_name = "cohort_linux.h";

const File& embedded(std::string_view name) {
  const auto& files = embedded_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
  COHORT_EXPECT(found != files.end(), "the file is embedded");
  return *found;
}

// The text without what is only there to make the file compile by itself; lines keep their numbers.
std::string without_includes(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    result += line.starts_with("#include \"") || line.starts_with("#pragma once") ? std::string_view("\n") : line;
    text.remove_prefix(end);
  }
  return result;
}

std::string part(const File& file) {
  return fmt::format("#line 1 \"{}\"\n{}", file.name, without_includes(file.text));
}

bool is_constant(const ir::Unit& unit, ir::ExprId id, std::int64_t mask, std::int64_t value) {
  const ir::Expr& expr = unit.expr(id);
  if (expr.op == ir::Op::Cast) return is_constant(unit, expr.args[0], mask, value);
  return expr.op == ir::Op::Const && (expr.value & mask) == value;
}

std::string macros(const Demands& demands) {
  return fmt::format(
      "#define COHORT_OWNERS {:d}\n#define COHORT_CHECK_LOCKS {:d}\n#define COHORT_SPURIOUS {:d}\n"
      "#define COHORT_FAILING {:d}\n#define COHORT_ABORTS {:d}\n#define COHORT_SIZES {:d}\n"
      "#define COHORT_HANDLERS {:d}\n#define COHORT_REUSE {:d}\n#define COHORT_RACES {:d}\n#define COHORT_FLOATS {:d}\n"
      "#define COHORT_CANCELS {:d}\n#define COHORT_WATCHES {:d}\n#define COHORT_DIRECTED {:d}\n"
      "#define COHORT_READS {:d}\n#define COHORT_JOINS {:d}\n#define COHORT_FAULTS {:d}\n",
      demands.owners || demands.check_locks, demands.check_locks, demands.spurious_wakeups, demands.failing_calls,
      demands.aborts, demands.sizes, demands.handlers, demands.reuse, demands.races, demands.floats, demands.cancels,
      demands.watches, demands.directed, demands.reads, demands.joins, demands.faults);
}

bool asks_for_owners(const ir::Unit& unit, const ir::Node& node) {
  if (node.kind != ir::Node::Kind::Call || !node.callee) return false;
  const std::string& name = unit.function(*node.callee).name;
  if (ir::sets_mutex_kind(name)) return true;
  constexpr std::int64_t recursive_bit = 1;  // mtx_recursive
  return ir::makes_mutex_of_kind(name) && (node.args.size() < 2 || !is_constant(unit, node.args[1], recursive_bit, 0));
}

// Is some mutex inside the object initialised to a kind that is not the normal one?
bool starts_with_kind(const ir::Unit& unit, const ir::Object& object) {
  for (const ir::InitialValue& initial : object.initial) {
    const ir::Type* type = &unit.type(object.type);
    for (const std::uint64_t step : initial.path) {
      if (type->kind == ir::Type::Kind::Array) {
        type = &unit.type(type->target);
        continue;
      }
      if (type->kind != ir::Type::Kind::Record) break;
      const ir::Record& record = unit.record(type->record);
      const bool is_kind = record.is_library && record.name == "cohort_pthread_mutex_t" && step == 0;
      if (is_kind && !is_constant(unit, initial.value, -1, 0)) return true;
      type = &unit.type(record.fields[step].type);
    }
  }
  return false;
}

// The arguments of main as arrays of characters, whatever characters they have, and the list of them.
std::string argument_list(const std::vector<std::string>& arguments) {
  std::string texts;
  std::string list = "#define COHORT_ARGUMENT_LIST {";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    texts += fmt::format("static char cohort_argument_{}[] = {{", i);
    for (const char character : arguments[i]) texts += fmt::format("{}, ", static_cast<int>(character));
    texts += "0};\n";
    list += fmt::format("cohort_argument_{}, ", i);
  }
  return texts + list + "COHORT_NULL}\n";
}

}  // namespace

bool needs_owners(const ir::Unit& unit) {
  for (const ir::Function& function : unit.functions) {
    const auto asks = [&](const ir::Node& node) { return asks_for_owners(unit, node); };
    if (std::any_of(function.nodes.begin(), function.nodes.end(), asks)) return true;
  }
  return std::any_of(unit.objects.begin(), unit.objects.end(),
                     [&](const ir::Object& object) { return starts_with_kind(unit, object); });
}

namespace {

// Does the program itself call a function with such a name, or take its address?
template <class Matches>
bool uses(const ir::Unit& unit, const Matches& matches) {
  const auto calls = [&](const ir::Node& node) {
    return node.kind == ir::Node::Kind::Call && node.callee && matches(unit.function(*node.callee).name);
  };
  const bool called = std::any_of(unit.functions.begin(), unit.functions.end(), [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), calls);
  });
  return called || std::any_of(unit.exprs.begin(), unit.exprs.end(), [&](const ir::Expr& expr) {
           return expr.op == ir::Op::FunctionAddr && matches(unit.function(expr.function).name);
         });
}

}  // namespace

bool needs_sizes(const ir::Unit& unit) {
  return uses(unit, [](std::string_view name) { return name == "realloc" || name == "reallocarray"; });
}

bool makes_locks(const ir::Unit& unit) {
  return uses(unit, [](std::string_view name) { return ir::initialises_lock(name); });
}

bool needs_handlers(const ir::Unit& unit) {
  constexpr std::string_view names[] = {"signal", "bsd_signal", "sysv_signal", "sigaction"};
  return uses(unit, [&](std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  });
}

bool needs_cancellation(const ir::Unit& unit) {
  return uses(unit, [](std::string_view name) { return name == "pthread_cancel"; });
}

bool needs_direction(const ir::Unit& unit) {
  return uses(unit, [](std::string_view name) { return name == "pthread_kill"; });
}

bool needs_watching(const ir::Unit& unit) {
  return uses(unit, [](std::string_view name) { return name.starts_with("epoll_create"); });
}

bool needs_floats(const ir::Unit& unit) {
  const auto matters = [](const ir::Node& node) {
    return node.kind == ir::Node::Kind::Unsupported && node.text == ir::float_matters;
  };
  return std::any_of(unit.functions.begin(), unit.functions.end(), [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), matters);
  });
}

std::string source(const Demands& demands) {
  std::string text = macros(demands);
  text += demands.arguments ? "#define COHORT_KNOWN_ARGUMENTS 1\n" + argument_list(*demands.arguments)
                            : "#define COHORT_KNOWN_ARGUMENTS 0\n";
  for (const std::string_view header : {"cohort_intrinsics.h", "types.h"}) text += part(embedded(header));
  for (const File& file : embedded_files()) {
    if (file.name.ends_with(".c")) text += part(file);
  }
  return text;
}

std::string linux_prelude(const Demands& demands) {
  return macros(demands) + std::string(embedded(linux_name).text);
}

}  // namespace cohort::frontend::c::library
