#include "frontend/c/c.hpp"

#include <algorithm>
#include <cctype>

#include "base/contract.hpp"
#include "base/poll.hpp"
#include "frontend/c/any_number.hpp"
#include "frontend/c/ir/names.hpp"
#include "frontend/c/library/joins.hpp"
#include "frontend/c/library/library.hpp"
#include "frontend/c/library/relock.hpp"
#include "frontend/c/lower/lower.hpp"
#include "frontend/c/parse/parse.hpp"
#include "model/any_number.hpp"

namespace cohort::frontend::c {

namespace {

struct PropertyName {
  const char* name;
  ir::Wrong kind;
};

constexpr PropertyName names[] = {{"assertions", ir::Wrong::Assertion}, {"deadlock", ir::Wrong::Deadlock},
                                  {"races", ir::Wrong::Race},           {"locks", ir::Wrong::Lock},
                                  {"faults", ir::Wrong::Fault},         {"overflow", ir::Wrong::Overflow},
                                  {"abort", ir::Wrong::Abort}};

// But for abort(), which many programs end with on purpose.
constexpr const char* every_property = "all";

bool asks_for(const Options& options, const std::string& name) {
  return std::any_of(options.properties.begin(), options.properties.end(), [&](const std::string& given) {
    return given == name || (given == every_property && name != "abort");
  });
}

// A thread that wakes for no reason hides that nobody will ever wake it.
bool wakes_for_no_reason(const Options& options) {
  return options.spurious_wakeups.value_or(!asks_for(options, "deadlock"));
}

bool volatile_is_atomic(const Options& options) {
  return options.volatile_is_atomic.value_or(options.linux_names);
}

// Does the program itself call something that may fail?  Only violations of the other kinds are everywhere.
bool states_assertions(const ir::Unit& unit) {
  const auto asserts = [&](const ir::Node& node) {
    if (node.kind != ir::Node::Kind::Call || !node.callee) return false;
    return ir::states_assertion(unit.function(*node.callee).name);
  };
  return std::any_of(unit.functions.begin(), unit.functions.end(), [&](const ir::Function& function) {
    return !function.is_library && std::any_of(function.nodes.begin(), function.nodes.end(), asserts);
  });
}

// What main is given: the name of the program, and the words of the text.
std::vector<std::string> command_line(const std::string& name, const std::string& text) {
  constexpr char quote = '\'';
  std::vector<std::string> words{name};
  bool is_quoted = false;
  bool in_word = false;
  bool is_escaped = false;  // between quotes only
  for (const char character : text) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(character)) != 0;
    if (is_blank && !is_quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (is_quoted && character == '\\' && !is_escaped) {
      is_escaped = true;
      continue;
    }
    if (character == quote && !is_escaped) {
      is_quoted = !is_quoted;
    } else {
      words.back() += character;
    }
    is_escaped = false;
  }
  return words;
}

ir::Unit read_with(const library::Demands& demands, std::vector<SourceFilePtr> files, const Options& options) {
  std::string prelude = options.linux_names ? library::linux_prelude(demands) : "";
  if (options.any_number) {
    AnyNumber any = with_any_number(files, *options.any_number);
    files = std::move(any.files);
    prelude += any.prelude;
  }
  std::vector<parse::Input> inputs = {{std::make_shared<const SourceFile>("library", library::source(demands)), true}};
  for (const SourceFilePtr& file : files) inputs.push_back({file, false});
  return parse::parse(inputs, {.defines = options.defines,
                               .include_dirs = options.include_dirs,
                               .includes = options.includes,
                               .undefines = options.undefines,
                               .system_dirs = options.system_dirs,
                               .standard = options.standard.value_or(""),
                               .build_dir = options.build_dir.value_or(""),
                               .error_labels = options.error_labels,
                               .prelude = prelude,
                               .pointer_width = options.pointer_width,
                               .spurious_failures = options.spurious_failures,
                               .overflow_matters = asks_for(options, "overflow"),
                               .exact_floats = demands.floats,
                               .lives_matter = asks_for(options, "faults"),
                               .text_is_read = demands.reads});
}

}  // namespace

const std::vector<std::string>& property_names() {
  static const auto all = [] {
    std::vector<std::string> list;
    for (const PropertyName& property : names) list.emplace_back(property.name);
    list.emplace_back(every_property);
    return list;
  }();
  return all;
}

ir::Unit read(const std::vector<SourceFilePtr>& files, const Options& options) {
  const bool check_locks = asks_for(options, "locks");
  library::Demands demands{.owners = check_locks,
                           .check_locks = check_locks,
                           .spurious_wakeups = wakes_for_no_reason(options),
                           .failing_calls = options.failing_calls,
                           .aborts = asks_for(options, "abort"),
                           .reuse = options.reuse,
                           .faults = asks_for(options, "faults"),
                           .reads = asks_for(options, "faults") || asks_for(options, "races")};
  if (options.arguments) demands.arguments = command_line(files.front()->name(), *options.arguments);
  ir::Unit unit = read_with(demands, files, options);
  // Only the program tells whether it needs the models that remember who holds a mutex, how large an object is, what
  // becomes of signals, and which lock is being initialised.
  const bool owners = demands.owners || library::needs_owners(unit);
  demands.sizes = library::needs_sizes(unit);
  demands.handlers = library::needs_handlers(unit);
  demands.races = asks_for(options, "races") && library::makes_locks(unit);
  // Pointers of 32 bits mean a processor that computes with more bits than the types have.
  demands.floats = options.pointer_width == 64 && library::needs_floats(unit);
  demands.cancels = library::needs_cancellation(unit);
  demands.directed = library::needs_direction(unit);
  demands.watches = library::needs_watching(unit);
  demands.joins = library::may_join_in_vain(unit, asks_for(options, "faults"));
  if (owners != demands.owners || demands.sizes || demands.handlers || demands.races || demands.floats ||
      demands.cancels || demands.directed || demands.watches || demands.joins) {
    demands.owners = owners;
    unit = read_with(demands, files, options);
  }
  if (!demands.owners && !asks_for(options, "deadlock")) library::cut_relocks(unit);
  if (options.any_number) {
    for (ir::Object& object : unit.objects) {
      if (object.name == any_number_object(*options.any_number)) object.name = *options.any_number;
    }
  }
  return unit;
}

model::Program load(const std::vector<SourceFilePtr>& files, const Options& options, Env* env) {
  COHORT_EXPECT(!files.empty(), "there is a program to load");
  lower::Options lowering{.properties = {},
                          .interleave_statements = options.interleave_statements && !asks_for(options, "races"),
                          .volatile_is_atomic = volatile_is_atomic(options),
                          .heap_pool = options.heap_pool,
                          .heap_array = options.heap_array,
                          .recursion = options.recursion,
                          .numbered_threads = options.told_apart,
                          .reuse = options.reuse,
                          .undefined = options.undefined,
                          .entry = options.entry.value_or(std::string(ir::main_name)),
                          .late_naming = options.late_naming,
                          .simplify = options.simplify,
                          .self_check = env == nullptr || env->self_check,
                          .env = env};
  for (const PropertyName& property : names) {
    if (asks_for(options, property.name)) lowering.properties.push_back(property.kind);
  }
  poll(env, "parse-c");
  ir::Unit unit = read(files, options);
  // The parser leaves out the failure of an assertion that is constant.
  const bool disabled = std::any_of(options.defines.begin(), options.defines.end(), [](const std::string& macro) {
    return macro.substr(0, macro.find('=')) == "NDEBUG";
  });
  const bool mentions = !disabled && std::any_of(files.begin(), files.end(), [](const SourceFilePtr& file) {
    return file->text().find("assert(") != std::string::npos;
  });
  const bool states_checks = !options.error_labels.empty() ||
                             options.properties != std::vector<std::string>{"assertions"} || mentions ||
                             states_assertions(unit);
  poll(env, "lower-c");
  lower::Lowered lowered = lower::lower(std::move(unit), files[0]->name(), lowering);
  // What is stated and cannot be violated has been checked all the same.
  if (states_checks && lowered.program.properties.empty()) {
    lowered.program.add_property({.kind = model::Property::Kind::Assertion, .text = "nothing that can fail"});
  }
  auto& assumptions = lowered.program.assumptions;
  if (options.interleave_statements && asks_for(options, "races")) {
    assumptions.emplace_back("races are between accesses: a statement is not one step (--interleave=statement)");
  }
  assumptions.insert(assumptions.begin(), lowered.notes.begin(), lowered.notes.end());
  if (options.any_number) assumptions.insert(assumptions.begin(), model::any_number_text(*options.any_number));
  return std::move(lowered.program);
}

}  // namespace cohort::frontend::c
