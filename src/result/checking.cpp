#include "result/checking.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"

namespace cohort::result {

using model::ThreadState;
using model::Valuation;
using nlohmann::json;

void refute(std::string message) {
  COHORT_EXPECT(!message.empty(), "a refutation says what does not hold");
  throw Refuted{std::move(message)};
}

void refuse(std::string message) {
  COHORT_EXPECT(!message.empty(), "a refusal says what is not judged");
  throw Refused{std::move(message)};
}

void misshapen(std::string message) {
  COHORT_EXPECT(!message.empty(), "a misshapen certificate is told what is wrong");
  throw Misshapen{std::move(message)};
}

const json& member(const json& object, const char* name) {
  if (!object.is_object()) misshapen(fmt::format("expected an object with the member \"{}\"", name));
  const auto it = object.find(name);
  if (it == object.end()) misshapen(fmt::format("the member \"{}\" is missing", name));
  return *it;
}

void expect_members(const json& object, std::initializer_list<std::string_view> names) {
  if (!object.is_object()) misshapen("expected an object");
  for (const auto& item : object.items()) {
    if (std::find(names.begin(), names.end(), item.key()) == names.end()) {
      misshapen(fmt::format("the member \"{}\" is not known", item.key()));
    }
  }
  for (const std::string_view name : names) member(object, std::string(name).c_str());
}

const std::vector<json>& elements(const json& array, const char* what) {
  if (!array.is_array()) misshapen(fmt::format("{}: expected a list", what));
  return array.get_ref<const json::array_t&>();
}

std::uint64_t natural(const json& number, const char* what, std::uint64_t most) {
  const bool counts = number.is_number_unsigned() || (number.is_number_integer() && number.get<std::int64_t>() >= 0);
  if (!counts) misshapen(fmt::format("{}: expected a number that is not negative", what));
  const auto value = number.get<std::uint64_t>();
  if (value > most) misshapen(fmt::format("{}: {} is more than {}", what, value, most));
  return value;
}

std::uint32_t index_below(const json& number, std::size_t size, const char* what) {
  const std::uint64_t value = natural(number, what, UINT64_MAX);
  if (value >= size || value > UINT32_MAX) refute(fmt::format("{}: the certificate names what it does not list", what));
  return static_cast<std::uint32_t>(value);
}

model::Value integer(const json& number, const char* what) {
  const bool fits = number.is_number_unsigned() ? number.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}
                                                : number.is_number_integer();
  if (!fits) misshapen(fmt::format("{}: expected an integer of 64 bits", what));
  return number.get<model::Value>();
}

bool truth(const json& value, const char* what) {
  if (!value.is_boolean()) misshapen(fmt::format("{}: expected true or false", what));
  return value.get<bool>();
}

std::string text(const json& value, const char* what) {
  if (!value.is_string()) misshapen(fmt::format("{}: expected a text", what));
  return value.get<std::string>();
}

std::optional<std::uint32_t> count_or_omega(const json& value) {
  if (value.is_string()) {
    if (text(value, "a count") != "omega") misshapen("a count: expected a number or \"omega\"");
    return std::nullopt;
  }
  const auto count = static_cast<std::uint32_t>(natural(value, "a count"));
  if (count == 0) misshapen("a count: expected a positive number");
  return count;
}

Valuation valuation(const json& values, const std::vector<model::Variable>& variables, std::size_t slots,
                    const char* what) {
  Valuation result;
  for (const json& value : elements(values, what)) result.push_back(integer(value, what));
  if (result.size() != slots) refute(fmt::format("{} has the wrong number of values", what));
  for (const model::Variable& variable : variables) {
    COHORT_EXPECT(variable.slot + variable.type.slots() <= slots, "the variables have their slots in the valuation");
    for (std::uint32_t element = 0; element < variable.type.slots(); ++element) {
      if (!variable.type.element().contains(result[variable.slot + element])) {
        refute(fmt::format("{} has a value that the variable {} cannot have", what, variable.name));
      }
    }
  }
  return result;
}

std::vector<Valuation> shared_states_from_json(const Checking& checking, const json& table) {
  std::vector<Valuation> states;
  const std::size_t slots = checking.program.shared_slots();
  for (const json& values : elements(table, "the shared states")) {
    checking.env.poll("certificate-tables");
    states.push_back(valuation(values, checking.program.shared, slots, "a shared state"));
  }
  return states;
}

std::vector<ThreadState> thread_states_from_json(const Checking& checking, const json& table) {
  const model::Program& program = checking.program;
  std::vector<std::size_t> slots;
  for (const model::Template& templ : program.templates) slots.push_back(templ.local_slots());
  std::vector<ThreadState> states;
  for (const json& local : elements(table, "the local states")) {
    checking.env.poll("certificate-tables");
    expect_members(local, {"template", "location", "atomic", "values"});
    const std::uint64_t templ = natural(member(local, "template"), "the template of a local state", UINT64_MAX);
    const std::uint64_t location = natural(member(local, "location"), "the location of a local state", UINT64_MAX);
    if (templ >= program.templates.size() || location >= program.templates[templ].locations.size()) {
      refute("a local state does not fit the program");
    }
    states.push_back(
        {model::TemplateId(templ), model::LocId(location),
         truth(member(local, "atomic"), "the atomic flag of a local state"),
         valuation(member(local, "values"), program.templates[templ].locals, slots[templ], "a local state")});
  }
  return states;
}

json thread_states_to_json(const std::vector<ThreadState>& states) {
  json table = json::array();
  for (const ThreadState& state : states) {
    table.push_back({{"template", state.templ.value},
                     {"location", state.location.value},
                     {"atomic", state.atomic},
                     {"values", state.locals}});
  }
  return table;
}

void expect_countable(const model::Program& program) {
  constexpr const char* reason = "threads that refer to each other cannot be counted";
  if (model::uses_thread_refs(program)) refuse(reason);
  const auto refers = [](const model::Variable& variable) {
    return variable.type.kind() == model::Type::Kind::ThreadRef;
  };
  if (std::any_of(program.shared.begin(), program.shared.end(), refers)) refuse(reason);
  for (const model::Template& templ : program.templates) {
    if (std::any_of(templ.locals.begin(), templ.locals.end(), refers)) refuse(reason);
  }
}

namespace {

void expect_shared_only(const model::Program& program, model::ExprId condition) {
  for_each_node(program.exprs, condition, [](const model::Expr& node, model::ExprId) {
    switch (node.op) {
      case model::Op::ForallThread:
      case model::Op::ExistsThread:
      case model::Op::AtLocation:
      case model::Op::RemoteVar:
      case model::Op::BoundThread:
      case model::Op::Self:
      case model::Op::LocalVar:
      case model::Op::PassiveVar: refuse("a condition speaks of several threads");
      default: break;
    }
  });
}

model::EvalContext context_of(const model::Program& program, const Valuation& shared) {
  COHORT_EXPECT(shared.size() == program.shared_slots(), "a shared state has a value for each slot");
  model::EvalContext context;
  context.program = &program;
  context.shared = context.shared_after = &shared;
  return context;
}

}  // namespace

bool holds_in(const model::Program& program, model::ExprId condition, const Valuation& shared) {
  expect_shared_only(program, condition);
  model::EvalContext context = context_of(program, shared);
  return model::holds(context, condition);
}

bool is_bad_in(const model::Program& program, const model::Property& property, const Valuation& shared) {
  if (property.condition) expect_shared_only(program, *property.condition);
  model::EvalContext context = context_of(program, shared);
  return model::is_bad(context, property);
}

}  // namespace cohort::result
