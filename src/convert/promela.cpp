// One process for each thread that may be alive.  A process that is free waits at `idle` for a message that starts it:
// a spawn sends the locals and the place to the lowest free process, over a rendezvous, so that creation is one step.
// `run` would be the obvious choice, but Spin keeps a process that has ended until every younger one has ended too, so
// that a program whose threads come and go would have no finite state space.  Taking the lowest free process costs
// nothing and names threads in the order of their creation, as `run` would.
//
// A location is a label and its edges are the options of an `if`.  A choice that is the whole value of a variable is
// made after the guard; every other choice is enumerated, one option for each combination with constants folded in,
// since an option must not block once it has begun.  An atomic section is a variable that holds its owner: Spin's own
// `atomic` is left by a statement that blocks, the section is not.
//
// Locals that a broadcast reads or writes live in arrays over the processes; all others are local to the process.
#include "convert/promela.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/contract.hpp"
#include "convert/expr_text.hpp"
#include "convert/fragment.hpp"
#include "convert/start.hpp"
#include "convert/step_view.hpp"
#include "convert/text_writer.hpp"

namespace cohort::convert {

namespace {

using model::Expr;
using model::ExprId;
using model::LocId;
using model::LValue;
using model::Op;
using model::Program;
using model::Template;
using model::TemplateId;
using model::Type;
using model::Value;
using model::VarId;

constexpr std::uint64_t max_options = 4096;
constexpr std::uint32_t max_processes = 255;

constexpr std::string_view reserved =
    "active always assert assume atomic atomic_by bit bool break busy byte c_code c_decl c_expr c_state c_track "
    "chan D_proctype d_step do else empty enabled eval eventually false fi for full goto hidden idle if in init "
    "inline int kind len local ltl mtype nempty never next nfull notrace np_ od of pc_value pid print printf printm "
    "priority proctype provided ready release run saved_* select short show site skip start STDIN stronguntil "
    "thread timeout trace true typedef unless unsigned until weakuntil xr xs";

constexpr Operators operators{.question = "->"};

std::string_view type_text(const Type& type, const SourceSpan& span) {
  if (type.is_bool()) return "bool";
  const std::uint64_t count = type.cardinality();
  const Value first = type.first();
  if (count != 0) {
    const Value last = first + static_cast<Value>(count) - 1;
    if (first >= 0 && last <= 255) return "byte";
    if (first >= -(1 << 15) && last < (1 << 15)) return "short";
    if (first >= -(Value{1} << 31) && last < (Value{1} << 31)) return "int";
  }
  throw_unsupported(span, "an integer that does not fit 32 bits cannot be converted to Promela");
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '/' && !result.empty() && result.back() == '*') result += ' ';
    result += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return result;
}

struct LocalRef {
  TemplateId templ;
  VarId var;

  auto operator<=>(const LocalRef&) const = default;
};

class Writer : private TextWriter {
 public:
  Writer(const Program& program, std::uint32_t threads)
      : TextWriter(program, reserved), threads_(threads), start_(plan_start(program, threads)) {
    for (const Template& templ : program.templates) name_template(templ);
  }

  std::string write() {
    survey();
    std::string body;
    for (std::size_t i = 0; i < program_.templates.size(); ++i) write_template(TemplateId(i));
    std::swap(body, out_);
    write_globals();
    write_process_head();
    out_ += body;
    line("}}");
    return std::move(out_);
  }

 private:
  void name_template(const Template& templ) {
    auto& labels = labels_.emplace_back();
    for (std::size_t i = 0; i < templ.locations.size(); ++i)
      labels.push_back(names_.fresh(fmt::format("at_{}_{}", templ.name, i)));
    name_locals(templ, templ.name + "_");
  }

  // Finds atomic sections, the locals that broadcasts touch, and the locals that a spawn's message carries.
  void survey() {
    std::set<std::uint32_t> spawned;
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      for (const model::Edge& edge : program_.templates[i].edges) {
        const model::Action& action = edge.actions.front();
        uses_atomic_ |= action.atomic != model::AtomicChange::None;
        for (const model::Spawn& spawn : action.spawns) spawned.insert(spawn.templ.value);
        survey_passive(TemplateId(i), action);
      }
    }
    for (const std::uint32_t templ : spawned) {
      for (std::size_t k = 0; k < program_.templates[templ].locals.size(); ++k)
        message_.push_back({TemplateId(templ), VarId(k)});
    }
  }

  void survey_passive(TemplateId templ, const model::Action& action) {
    const auto survey_expr = [&](ExprId root) {
      model::for_each_node(program_.exprs, root, [&](const Expr& node, ExprId) {
        if (node.op == Op::PassiveVar) exposed_.insert({templ, node.var});
      });
    };
    for (const model::Assign& assign : action.assigns) {
      if (assign.target.kind == LValue::Kind::Passive) exposed_.insert({templ, assign.target.var});
      survey_expr(assign.value);
    }
    for (const ExprId conjunct : action.constraint) survey_expr(conjunct);
  }

  bool needs_kinds() const { return !exposed_.empty() && program_.templates.size() > 1; }

  std::string local(TemplateId templ, VarId var, std::string_view process = "_pid") const {
    const std::string& name = local_names_[templ.value][var.value];
    return exposed_.contains({templ, var}) ? fmt::format("{}[{}]", name, process) : name;
  }

  void write_globals() {
    line("/* {} with at most {} threads alive. */", program_.name.empty() ? "A program" : comment_text(program_.name),
         threads_);
    for (std::size_t i = 0; i < program_.shared.size(); ++i) {
      const model::Variable& variable = program_.shared[i];
      const Value value = variable.initial.empty() ? variable.type.default_value() : variable.initial.front();
      line("{} {} = {};", type_text(variable.type, variable.span), shared_names_[i],
           text_.constant(value, variable.type).text);
    }
    for (const LocalRef& ref : exposed_) {
      const model::Variable& variable = program_.templ(ref.templ).local(ref.var);
      line("{} {}[{}];", type_text(variable.type, variable.span), local_names_[ref.templ.value][ref.var.value],
           threads_);
    }
    line("bool ready = false;");
    line("bool busy[{}];", threads_);
    if (needs_kinds()) line("byte kind[{}];", threads_);
    if (uses_atomic_) line("short atomic_by = 0;  /* 0, or one more than the process inside an atomic section */");
    if (!sites_.empty()) {
      std::string types = "short";
      for (const LocalRef& field : message_) {
        const model::Variable& variable = program_.templ(field.templ).local(field.var);
        types += fmt::format(", {}", type_text(variable.type, variable.span));
      }
      line("chan start[{}] = [0] of {{ {} }};", threads_, types);
    }
    line("");
  }

  void write_process_head() {
    line("active [{}] proctype thread()", threads_);
    line("{{");
    for (std::size_t i = 0; i < program_.templates.size(); ++i) {
      const auto& locals = program_.templates[i].locals;
      for (std::size_t k = 0; k < locals.size(); ++k) {
        if (exposed_.contains({TemplateId(i), VarId(k)})) continue;
        line("  {} {};", type_text(locals[k].type, locals[k].span), local_names_[i][k]);
      }
    }
    for (std::size_t i = 0; i < saved_; ++i) line("  int saved_{};", i);
    if (!sites_.empty()) line("  short site;");
    line("  if");
    for (std::size_t i = 0; i < start_.threads.size(); ++i) write_initial_thread(i);
    if (!sites_.empty()) {
      line("  ::");
      write_receive();
    }
    line("  fi;");
    line("idle:");
    if (sites_.empty()) {
      line("  false;");
    } else {
      write_receive();
    }
  }

  // The first process sets up what all share; the others wait for it.
  void write_initial_thread(std::size_t index) {
    const StartedThread& thread = start_.threads[index];
    line("  :: atomic {{");
    if (index == 0) {
      line("      (_pid == 0) ->");
      for (std::size_t i = 0; i < program_.shared.size(); ++i) {
        const model::Variable& variable = program_.shared[i];
        if (variable.initial.empty()) write_choice(shared_names_[i], variable.type, variable.span, "      ");
      }
      for (std::size_t i = 0; i < start_.threads.size(); ++i) {
        line("      busy[{}] = true;", i);
        if (needs_kinds()) line("      kind[{}] = {};", i, start_.threads[i].templ.value);
        write_initial_locals(start_.threads[i].templ, fmt::format("{}", i), true);
      }
      line("      ready = true;");
    } else {
      line("      (_pid == {} && ready) ->", index);
    }
    write_initial_locals(thread.templ, "_pid", false);
    line("      goto {}", labels_[thread.templ.value][thread.location.value]);
    line("    }}");
  }

  // Exposed locals are set by the first process for all, before any broadcast can touch them.
  void write_initial_locals(TemplateId templ, const std::string& process, bool exposed) {
    const auto& locals = program_.templ(templ).locals;
    for (std::size_t k = 0; k < locals.size(); ++k) {
      if (exposed_.contains({templ, VarId(k)}) != exposed) continue;
      const std::string target = local(templ, VarId(k), process);
      if (locals[k].initial.empty()) {
        write_choice(target, locals[k].type, locals[k].span, "      ");
      } else {
        line("      {} = {};", target, text_.constant(locals[k].initial.front(), locals[k].type).text);
      }
    }
  }

  void write_choice(const std::string& target, const Type& type, const SourceSpan& span, std::string_view indent) {
    const std::uint64_t count = type.cardinality();
    if (count == 0 || count > max_options) throw_unsupported(span, too_many_options);
    std::string options;
    for (std::uint64_t i = 0; i < count; ++i) {
      options += fmt::format(" :: {} = {}", target, text_.constant(type.first() + static_cast<Value>(i), type).text);
    }
    line("{}if{} fi;", indent, options);
  }

  void write_receive() {
    std::string fields = "site";
    for (const LocalRef& field : message_) fields += ", " + local(field.templ, field.var);
    line("  atomic {{");
    line("    start[_pid]?{} ->", fields);
    line("    if");
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      const model::Spawn& spawn = sites_[i];
      line("    :: (site == {}) ->", i + 1);
      line("      site = 0;");
      for (std::size_t k = 0; k < program_.templ(spawn.templ).locals.size(); ++k) {
        const model::Variable& variable = program_.templ(spawn.templ).locals[k];
        if (!is_given(spawn, VarId(k)) && variable.initial.empty()) {
          write_choice(local(spawn.templ, VarId(k)), variable.type, variable.span, "      ");
        }
      }
      line("      goto {}", labels_[spawn.templ.value][spawn.location.value]);
    }
    line("    fi");
    line("  }};");
  }

  static bool is_given(const model::Spawn& spawn, VarId var) {
    return spawn.copies_locals || std::any_of(spawn.locals.begin(), spawn.locals.end(),
                                              [&](const model::Assign& assign) { return assign.target.var == var; });
  }

  void write_template(TemplateId templ) {
    current_ = templ;
    const Template source = program_.templ(templ);  // the view adds to the pool, never to the templates
    const model::OutEdges out_edges(source);
    for (std::size_t i = 0; i < source.locations.size(); ++i) {
      line("{}:", labels_[templ.value][i]);
      if (source.locations[i].error) {
        line("  assert(false);  /* {} */", comment_text(program_.properties[source.locations[i].error->value].text));
        line("  false;");
        continue;
      }
      std::string before = std::move(out_);
      out_.clear();
      for (const std::uint32_t edge : out_edges.of(LocId(i))) write_edge(source.edges[edge]);
      const std::string options = std::move(out_);
      out_ = std::move(before);
      if (options.empty()) {
        line("  false;");
      } else {
        line("  if");
        out_ += options;
        line("  fi;");
      }
    }
  }

  // A step that changes nothing: left out, since Spin refuses a loop without a statement.
  static bool is_idle(const model::Edge& edge) {
    const model::Action& action = edge.actions.front();
    return edge.source == edge.target && action.assigns.empty() && action.spawns.empty() && !action.ends_thread &&
           action.atomic == model::AtomicChange::None;
  }

  void write_edge(const model::Edge& edge) {
    if (is_idle(edge)) return;
    const StepView view = view_step(program_, edge);
    std::vector<ExprId> enumerated;
    free_.clear();
    std::uint64_t total = 1;
    for (const ExprId choice : view.choices) {
      if (view.free_target(program_, choice)) {
        free_.insert(choice.value);
        continue;
      }
      enumerated.push_back(choice);
      const std::uint64_t count = program_.exprs[choice].type.cardinality();
      if (count == 0 || count > max_options) throw_unsupported(edge.actions.front().span, too_many_options);
      total *= count;
      if (total > max_options) throw_unsupported(edge.actions.front().span, too_many_options);
    }
    std::size_t site = 0;
    if (!view.action->spawns.empty()) {
      sites_.push_back(view.action->spawns.front());
      site = sites_.size();
    }
    for (std::uint64_t round = 0; round < total; ++round) {
      std::uint64_t rest = round;
      chosen_.clear();
      for (const ExprId choice : enumerated) {
        const Type& type = program_.exprs[choice].type;
        chosen_.emplace_back(choice, type.first() + static_cast<Value>(rest % type.cardinality()));
        rest /= type.cardinality();
      }
      write_options(view, site);
    }
  }

  // One option for a step with its choices made; a spawn has one for each process that may be the lowest free one.
  void write_options(const StepView& view, std::size_t site) {
    const Text guard = guard_text(view);
    if (guard.is_false()) return;
    if (site == 0) {
      write_option(view, guard, {});
      return;
    }
    Text all_busy = text_.constant(1, Type::boolean());
    for (std::uint32_t i = 0; i < threads_; ++i) {
      write_option(view, text_.conj(guard, text_.conj(all_busy, {fmt::format("!busy[{}]", i), {}})),
                   message_text(view, site, i));
      all_busy = text_.conj(all_busy, {fmt::format("busy[{}]", i), {}});
    }
    write_option(view, text_.conj(guard, all_busy), {});
  }

  Text guard_text(const StepView& view) {
    Text guard = text_.constant(1, Type::boolean());
    if (uses_atomic_) guard = {"(atomic_by == 0 || atomic_by == _pid + 1)", {}};
    for (const ExprId condition : view.enabled) guard = text_.conj(guard, text_(condition));
    for (std::uint32_t i = 0; i < threads_ && !view.passive_enabled.empty(); ++i) {
      passive_ = i;
      Text all = text_.constant(1, Type::boolean());
      for (const ExprId condition : view.passive_enabled) all = text_.conj(all, text_(condition));
      if (!all.is_true()) guard = text_.conj(guard, {fmt::format("(!{} || {})", is_passive_text(i), all.text), {}});
    }
    return guard;
  }

  std::string is_passive_text(std::uint32_t process) const {
    std::string text = fmt::format("_pid != {} && busy[{}]", process, process);
    if (needs_kinds()) text += fmt::format(" && kind[{}] == {}", process, current_.value);
    return fmt::format("({})", text);
  }

  std::string message_text(const StepView& view, std::size_t site, std::uint32_t process) const {
    const model::Spawn& spawn = view.action->spawns.front();
    std::string text = fmt::format("busy[{}] = true; ", process);
    if (needs_kinds()) text += fmt::format("kind[{}] = {}; ", process, spawn.templ.value);
    text += fmt::format("start[{}]!{}", process, site);
    for (const LocalRef& field : message_) {
      const model::Variable& variable = program_.templ(field.templ).local(field.var);
      const auto given = std::find_if(spawn.locals.begin(), spawn.locals.end(),
                                      [&](const model::Assign& assign) { return assign.target.var == field.var; });
      std::string value = text_.constant(variable.type.default_value(), variable.type).text;
      if (field.templ == spawn.templ) {
        if (given != spawn.locals.end()) {
          value = text_(given->value).text;
        } else if (spawn.copies_locals) {
          value = local(field.templ, field.var);
        } else if (!variable.initial.empty()) {
          value = text_.constant(variable.initial.front(), variable.type).text;
        }
      }
      text += ", " + value;
    }
    return text;
  }

  void write_option(const StepView& view, const Text& guard, const std::string& message) {
    std::vector<std::string> statements;
    for (std::uint32_t i = 0; i < threads_ && !view.passive_assigns.empty(); ++i) {
      passive_ = i;
      std::string updates;
      for (const std::string& update : assign_texts(view.passive_assigns)) updates += fmt::format(" {};", update);
      statements.push_back(fmt::format("if :: {} ->{} :: else fi", is_passive_text(i), updates));
    }
    for (std::string& assign : assign_texts(view.assigns)) statements.push_back(std::move(assign));
    for (std::string& change : control_texts(view)) statements.push_back(std::move(change));
    // The message comes last: with it the step passes to the new thread.  What it says is over the state before, which
    // is safe because an action that spawns assigns no locals, and the message reads no shared variable that the action
    // assigns.
    if (!message.empty()) {
      expect_message_reads_no_target(view);
      statements.push_back(message);
    }
    const std::string target = view.action->ends_thread ? "idle" : labels_[current_.value][view.edge->target.value];
    line("  /* {} */", comment_text(view.action->text));
    if (statements.empty()) {
      line("  :: {} -> goto {}", guard.text, target);
    } else {
      const bool deterministic = free_.empty() && message.empty();
      line("  :: {} {{ {} -> {} }}; goto {}", deterministic ? "d_step" : "atomic", guard.text,
           fmt::join(statements, "; "), target);
    }
  }

  void expect_message_reads_no_target(const StepView& view) const {
    for (const model::Assign& given : view.action->spawns.front().locals) {
      for (const model::Assign& assign : view.assigns) {
        model::for_each_node(program_.exprs, given.value, [&](const Expr& node, ExprId) {
          if (node.op == Op::SharedVar && assign.target.kind == LValue::Kind::Shared && node.var == assign.target.var) {
            throw_unsupported(view.action->span,
                              "a spawn that passes a variable which it assigns cannot be converted to Promela");
          }
        });
      }
    }
    if (view.action->ends_thread) {
      throw_unsupported(view.action->span,
                        "a step that starts a thread and ends its own cannot be converted to Promela");
    }
  }

  std::vector<std::string> assign_texts(const std::vector<model::Assign>& assigns) {
    const auto sequence = in_sequence(program_.exprs, assigns);
    std::vector<std::string> texts;
    for (const SequencedAssign& item : sequence) {
      if (item.save) {
        texts.push_back(fmt::format("saved_{} = {}", *item.temporary, text_(item.assign.value).text));
      } else if (item.temporary) {
        texts.push_back(fmt::format("{} = saved_{}", target_text(item.assign.target), *item.temporary));
        texts.push_back(fmt::format("saved_{} = 0", *item.temporary));
      } else if (free_.contains(item.assign.value.value)) {
        texts.push_back(choice_text(item.assign.target, program_.exprs[item.assign.value].type));
      } else {
        texts.push_back(fmt::format("{} = {}", target_text(item.assign.target), text_(item.assign.value).text));
      }
    }
    saved_ = std::max(saved_, temporaries(sequence));
    return texts;
  }

  std::string choice_text(const LValue& target, const Type& type) const {
    std::string options;
    for (std::uint64_t i = 0; i < type.cardinality(); ++i) {
      options += fmt::format(" :: {} = {}", target_text(target),
                             text_.constant(type.first() + static_cast<Value>(i), type).text);
    }
    return fmt::format("if{} fi", options);
  }

  std::string target_text(const LValue& target) const {
    switch (target.kind) {
      case LValue::Kind::Shared: return shared_names_[target.var.value];
      case LValue::Kind::Local: return local(current_, target.var);
      case LValue::Kind::Passive: return local(current_, target.var, fmt::format("{}", passive_));
      case LValue::Kind::Remote: break;
    }
    COHORT_UNREACHABLE("the fragment check has refused remote writes");
  }

  std::vector<std::string> control_texts(const StepView& view) const {
    std::vector<std::string> texts;
    const bool ends = view.action->ends_thread;
    if (view.action->atomic == model::AtomicChange::Enter && !ends) texts.emplace_back("atomic_by = _pid + 1");
    // Nobody else holds the section, or this thread could not have moved.
    if (view.action->atomic == model::AtomicChange::Exit || (ends && uses_atomic_)) texts.emplace_back("atomic_by = 0");
    if (ends) {
      for (std::size_t k = 0; k < program_.templ(current_).locals.size(); ++k)
        texts.push_back(local(current_, VarId(k)) + " = 0");
      texts.emplace_back("busy[_pid] = false");
    }
    return texts;
  }

  Text leaf(const Expr& node, ExprId id) const {
    COHORT_EXPECT(!node.primed, "values after the step are written over the state before");
    switch (node.op) {
      case Op::SharedVar: return {shared_names_[node.var.value], {}};
      case Op::LocalVar: return {local(current_, node.var), {}};
      case Op::PassiveVar: return {local(current_, node.var, fmt::format("{}", passive_)), {}};
      case Op::Nondet: {
        const auto it =
            std::find_if(chosen_.begin(), chosen_.end(), [&](const auto& entry) { return entry.first == id; });
        COHORT_EXPECT(it != chosen_.end(), "a choice that is not free is enumerated");
        return text_.constant(it->second, node.type);
      }
      default: COHORT_UNREACHABLE("leaves are variables and choices");
    }
  }

  static constexpr const char* too_many_options =
      "a statement with more than 4096 nondeterministic alternatives cannot be converted to Promela";

  std::uint32_t threads_;
  Start start_;
  std::vector<std::vector<std::string>> labels_;
  std::set<LocalRef> exposed_;     // read or written by broadcasts
  std::vector<LocalRef> message_;  // what a spawn hands over, in the order of the message's fields
  std::vector<model::Spawn> sites_;
  bool uses_atomic_ = false;
  std::size_t saved_ = 0;
  std::uint32_t passive_ = 0;
  std::set<std::uint32_t> free_;  // choices made after the guard
  std::vector<std::pair<ExprId, Value>> chosen_;
  ExprText text_{program_.exprs, operators, [this](const Expr& node, ExprId id) { return leaf(node, id); }};
};

}  // namespace

std::string to_promela(const Program& program, std::uint32_t threads) {
  COHORT_EXPECT(threads >= 1, "at least one thread may be alive");
  if (threads > max_processes) throw_unsupported({}, "more than 255 threads cannot be converted to Promela");
  require_fragment(program, {.target = "Promela", .integers = true});
  return Writer(program, threads).write();
}

}  // namespace cohort::convert
