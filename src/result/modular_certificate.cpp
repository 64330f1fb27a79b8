// The conditions, for a view as any choice of threads of an execution:
//   start    the formula of each view that may be seen at the start holds there, for all initial values;
//   steps    whichever of the threads that a command moves (the active one, new ones, taken ones) are in the view, and
//            whoever else is: from any state in which all views of all threads concerned are allowed, the step leads to
//            a view that is listed and whose formula holds, in every order of threads at equal places;
//   errors   no listed view is at an error location, no step from one goes wrong, and no bad condition can hold.
// Everything is enumerated without regard to what is reachable, other than that views not listed are not: by induction
// over executions, every view of every reachable state is listed and satisfies its formula.
#include "result/modular_certificate.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "model/analysis/thread_bound.hpp"
#include "model/analysis/thread_limits.hpp"
#include "result/modular_formula.hpp"
#include "result/smtlib.hpp"
#include "result/solver_process.hpp"

namespace cohort::result {

using model::Command;
using model::PlaceId;
using model::Property;
using model::TemplateId;
using nlohmann::json;
using Thread = ModularCertificate::Thread;

json ModularCertificate::to_json(const model::Program& program) const {
  json views = json::array();
  for (const View& view : views_) {
    json threads = json::array();
    for (const Thread& thread : view.threads) {
      json entry{{"template", thread.templ.value}, {"name", program.templ(thread.templ).name}};
      if (thread.place) {
        entry["location"] = thread.place->location.value;
        entry["atomic"] = thread.place->atomic;
      } else {
        entry["state"] = thread.ended ? "ended" : "idle";
      }
      threads.push_back(std::move(entry));
    }
    views.push_back({{"threads", std::move(threads)}, {"invariant", view.formula}});
  }
  json result{{"kind", kind_name}, {"threads", threads_}, {"singles", singles_}, {"views", std::move(views)}};
  if (!ghosts_.empty()) result["ghosts"] = ModularGhosts::to_json(ghosts_);
  return result;
}

namespace {

using Spots = std::vector<std::size_t>;
using Members = std::vector<std::size_t>;

class Checker {
 public:
  explicit Checker(const Checking& checking)
      : env_(checking.env),
        commands_(checking.program),
        limits_(model::thread_limits(commands_)),
        smtlib_(commands_),
        ghosts_(commands_, limits_),
        solver_(env_) {
    if (!solver_.runs()) refuse("neither cvc5 nor z3 is installed to check it with");
    add_spots();
    read(checking.certificate);
    shared_ = smtlib_.shared();
    for (std::size_t i = 0; i < ghosts_.size(); ++i) shared_.push_back(ghosts_.name(i));
    for (const Command& command : commands_.all()) {
      SmtLibStep& step = steps_.emplace_back(smtlib_.step(command));
      for (std::string& term : ghosts_.after(command)) step.shared.push_back(std::move(term));
    }
    solver_.send(ghosts_.declarations());
  }

  // False when a limit, or the solver, stopped it.
  bool run() {
    check_start();
    for (std::size_t i = 0; i < commands_.all().size() && going_; ++i) check_command(i);
    check_errors();
    return going_;
  }

  std::size_t views() const { return views_.size(); }
  std::size_t queries() const { return queries_; }
  const std::string& solver() const { return solver_.name(); }
  bool rests_on_assumption() const { return ghosts_.rests_on_assumption(); }

 private:
  struct Listed {
    ViewFormula formula;
    std::vector<std::size_t> order;  // position in the formula of each thread of the sorted view
  };
  struct Mover {
    std::size_t from;
    std::size_t to;
  };

  // Spots are numbered in order of ModularCertificate::Thread.
  std::size_t spot(const Thread& thread) const {
    const auto it = std::lower_bound(spots_.begin(), spots_.end(), thread);
    if (it == spots_.end() || *it != thread) refute("the certificate names a place that threads do not reach");
    return static_cast<std::size_t>(it - spots_.begin());
  }

  std::size_t at(PlaceId place) const { return spot({commands_.place(place).templ, commands_.place(place), false}); }
  std::size_t absent(TemplateId templ, bool ended) const {
    return spot({templ, std::nullopt, ended && limits_[templ.value].has_value()});
  }

  void add_spots() {
    std::set<Thread> all;
    bool broadcasts = false;
    for (const model::Place& place : commands_.places()) all.insert({place.templ, place, false});
    for (const Command& command : commands_.all()) {
      broadcasts = broadcasts || command.broadcasts;
      for (const model::CommandChild& child : command.children) {
        all.insert({commands_.place(child.place).templ, std::nullopt, false});
      }
      const auto end = [&](TemplateId templ) { all.insert({templ, std::nullopt, limits_[templ.value].has_value()}); };
      if (!command.to) end(command.edge.templ);
      for (const model::CommandTake& take : command.takes) {
        if (!take.to) end(commands_.place(take.from).templ);
      }
    }
    // Fewer threads than a view has can do more where others may block a broadcast.
    for (const model::InitialThreads& group : commands_.program().initial) {
      if (!group.count && broadcasts) all.insert({group.templ, std::nullopt, false});
    }
    spots_.assign(all.begin(), all.end());
  }

  void read(const json& certificate) {
    const std::size_t templates = commands_.program().templates.size();
    if (certificate.contains("ghosts")) {
      expect_members(certificate, {"kind", "threads", "singles", "views", "ghosts"});
      ghosts_.read(certificate["ghosts"]);
    } else {
      expect_members(certificate, {"kind", "threads", "singles", "views"});
    }
    const auto crowd_size =
        static_cast<std::uint32_t>(natural(member(certificate, "threads"), "the threads of a view"));
    if (crowd_size < 1 || crowd_size > 4) refute("a view has one to four threads");
    const bool singles = truth(member(certificate, "singles"), "the flag of single threads");
    classes_.assign(templates, 0);
    needed_.assign(1, crowd_size);
    std::uint64_t crowd = 0;
    bool any_number = false;
    for (std::size_t i = 0; i < templates; ++i) {
      if (singles && limits_[i] == 1) {
        classes_[i] = needed_.size();
        needed_.push_back(1);
      } else if (limits_[i]) {
        crowd += *limits_[i];
      } else {
        any_number = true;
      }
    }
    if (!any_number) needed_[0] = static_cast<std::uint32_t>(std::min<std::uint64_t>(crowd, needed_[0]));
    for (const json& view : elements(member(certificate, "views"), "the views")) read_view(view);
  }

  std::size_t read_spot(const json& thread) const {
    const TemplateId templ(index_below(member(thread, "template"), limits_.size(), "the template of a thread"));
    if (text(member(thread, "name"), "the name of a template") != commands_.program().templ(templ).name) {
      refute("a template has another name in the program");
    }
    if (thread.contains("state")) {
      expect_members(thread, {"template", "name", "state"});
      const std::string state = text(member(thread, "state"), "the state of a thread");
      if (state != "ended" && state != "idle") misshapen("the state of a thread: expected \"ended\" or \"idle\"");
      return spot({templ, std::nullopt, state == "ended"});
    }
    expect_members(thread, {"template", "name", "location", "atomic"});
    const model::LocId location(natural(member(thread, "location"), "the location of a thread"));
    const bool atomic = truth(member(thread, "atomic"), "the atomic flag of a thread");
    return spot({templ, model::Place{templ, location, atomic}, false});
  }

  void read_view(const json& view) {
    Spots spots;
    env_.poll("check-modular");
    expect_members(view, {"threads", "invariant"});
    for (const json& thread : elements(member(view, "threads"), "the threads of a view")) {
      spots.push_back(read_spot(thread));
    }
    const auto is_variable = [&](const std::string& token) { return names_variable(token, spots); };
    Members order;
    for (std::size_t i = 0; i < spots.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spots[a] < spots[b]; });
    Listed listed{ViewFormula(text(member(view, "invariant"), "an invariant"), is_variable), order};
    std::sort(spots.begin(), spots.end());
    for (const std::size_t one : spots) known_.insert(one);
    views_.emplace(std::move(spots), std::move(listed));
  }

  bool names_variable(const std::string& token, const Spots& spots) const {
    const auto number = [](const std::string& digits) -> std::optional<std::size_t> {
      if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
      return std::stoul(digits);
    };
    const model::Program& program = commands_.program();
    if (token[0] == 'g') {
      const auto slot = number(token.substr(1));
      return slot && *slot < program.shared_slots() + ghosts_.size();
    }
    const std::size_t dot = token.find('.');
    if (token[0] != 't' || dot == std::string::npos) return false;
    const auto position = number(token.substr(1, dot - 1));
    const auto slot = number(token.substr(dot + 1));
    return position && slot && *position < spots.size() &&
           *slot < program.templ(spots_[spots[*position]].templ).local_slots();
  }

  std::size_t class_of(std::size_t spot) const { return classes_[spots_[spot].templ.value]; }
  bool is_atomic(std::size_t spot) const { return spots_[spot].place && spots_[spot].place->atomic; }

  bool possible(const Spots& threads) const {
    std::vector<std::uint64_t> counts(limits_.size(), 0);
    return std::all_of(threads.begin(), threads.end(), [&](std::size_t one) {
      const std::size_t templ = spots_[one].templ.value;
      return !limits_[templ] || ++counts[templ] <= *limits_[templ];
    });
  }

  // Calls visit(members) for each choice of threads that makes a view, sorted by spots.
  void for_each_view(const Spots& threads, const std::function<void(const Members&)>& visit) const {
    Members chosen;
    std::vector<std::uint32_t> missing = needed_;
    const std::function<void(std::size_t)> choose = [&](std::size_t from) {
      if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t count) { return count == 0; })) {
        Members sorted = chosen;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::size_t a, std::size_t b) { return threads[a] < threads[b]; });
        visit(sorted);
        return;
      }
      for (std::size_t i = from; i < threads.size(); ++i) {
        if (missing[class_of(threads[i])] == 0) continue;
        --missing[class_of(threads[i])];
        chosen.push_back(i);
        choose(i + 1);
        chosen.pop_back();
        ++missing[class_of(threads[i])];
      }
    };
    choose(0);
  }

  static Spots spots_of(const Spots& threads, const Members& members) {
    Spots spots;
    for (const std::size_t member : members) spots.push_back(threads[member]);
    return spots;
  }

  using Locals = std::vector<std::vector<std::string>>;

  // The formula of a view for these threads, in every order of those at equal spots; none: the view is not listed.
  std::optional<std::string> allowed(const Spots& threads, Members members, const std::vector<std::string>& shared,
                                     const Locals& locals) const {
    const Spots spots = spots_of(threads, members);
    COHORT_EXPECT(std::is_sorted(spots.begin(), spots.end()), "views are listed by their spots in order");
    const auto it = views_.find(spots);
    if (it == views_.end()) return std::nullopt;
    COHORT_EXPECT(locals.size() == threads.size(), "every thread has its locals");
    std::string text = "(and true";
    std::sort(members.begin(), members.end());
    do {
      if (spots_of(threads, members) != spots) continue;
      std::vector<const std::vector<std::string>*> placed(members.size());
      for (std::size_t i = 0; i < members.size(); ++i) placed[it->second.order[i]] = &locals[members[i]];
      text += ' ' + it->second.formula.instance(shared, placed);
    } while (std::next_permutation(members.begin(), members.end()));
    return text + ")";
  }

  // The unknowns of the threads of a configuration, and that they have values of their types.
  Locals unknowns(const Spots& threads, std::vector<std::string>& facts) {
    const model::Program& program = commands_.program();
    const auto add = [&](const std::vector<model::Variable>& variables, const std::vector<std::string>& names) {
      for (const model::Variable& variable : variables) {
        for (std::uint32_t i = 0; i < variable.type.slots(); ++i) {
          facts.push_back(SmtLib::in_type(names[variable.slot + i], variable.type.element()));
        }
      }
    };
    add(program.shared, shared_);
    Locals locals;
    std::vector<ModularGhosts::Member> members;
    for (std::size_t number = 0; number < threads.size(); ++number) {
      const TemplateId templ = spots_[threads[number]].templ;
      const auto& place = spots_[threads[number]].place;
      members.push_back({templ, place ? std::optional(place->location) : std::nullopt});
      locals.push_back(smtlib_.locals(number, templ));
      add(program.templ(templ).locals, locals.back());
    }
    for (std::string& axiom : ghosts_.axioms(members)) facts.push_back(std::move(axiom));
    return locals;
  }

  // Refutes the certificate where all facts can hold together.
  void exclude(const std::vector<std::string>& facts, const std::string& what) {
    if (!going_ || std::find(facts.begin(), facts.end(), "false") != facts.end()) return;
    if (env_.poll_now("check-modular-query")) {
      going_ = false;
      return;
    }
    std::string text = smtlib_.take_definitions() + "(push 1)\n";
    for (const std::string& fact : facts) text += fmt::format("(assert {})\n", fact);
    solver_.send(text);
    const SolverProcess::Answer answer = solver_.check();
    ++queries_;
    if (answer == SolverProcess::Answer::Satisfiable) refute(what);
    if (answer == SolverProcess::Answer::Unknown) going_ = false;
    solver_.send("(pop 1)\n");
  }

  void check_start() {
    const model::Program& program = commands_.program();
    std::map<std::size_t, std::uint64_t> supply;
    std::vector<std::uint64_t> started(limits_.size(), 0);
    constexpr std::uint64_t any = ~std::uint64_t{0};
    for (const model::InitialThreads& group : program.initial) {
      std::uint64_t& here = supply[spot({group.templ, model::Place{group.templ, group.location, false}, false})];
      here = group.count && here != any ? here + *group.count : any;
      started[group.templ.value] += group.count.value_or(0);
    }
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      if (spots_[i].place || spots_[i].ended) continue;
      const auto& limit = limits_[spots_[i].templ.value];
      supply[i] = limit ? *limit - std::min(*limit, started[spots_[i].templ.value]) : any;
    }
    Spots all;
    for (const auto& [one, count] : supply) {
      const std::uint64_t most = std::min<std::uint64_t>(count, needed_[class_of(one)]);
      all.insert(all.end(), most, one);
    }
    std::set<Spots> seen;
    for_each_view(all, [&](const Members& members) {
      const Spots threads = spots_of(all, members);
      if (seen.insert(threads).second) check_start_of(threads);
    });
  }

  // A condition on the shared variables alone holds at the start, whoever is in view.
  bool speaks_of_threads(model::ExprId condition) const {
    bool found = false;
    model::for_each_node(commands_.program().exprs, condition, [&](const model::Expr& node, model::ExprId) {
      switch (node.op) {
        case model::Op::Nondet:
        case model::Op::LocalVar:
        case model::Op::PassiveVar:
        case model::Op::RemoteVar:
        case model::Op::Self:
        case model::Op::BoundThread:
        case model::Op::AtLocation:
        case model::Op::ForallThread:
        case model::Op::ExistsThread: found = true; break;
        default: break;
      }
    });
    return found;
  }

  void check_start_of(const Spots& threads) {
    std::vector<std::string> facts;
    const Locals locals = unknowns(threads, facts);
    const auto fix = [&](const std::vector<model::Variable>& variables, const std::vector<std::string>& names) {
      for (const model::Variable& variable : variables) {
        for (std::uint32_t i = 0; i < variable.type.slots() && !variable.initial.empty(); ++i) {
          const model::Value value = variable.initial[variable.initial.size() == 1 ? 0 : i];
          facts.push_back(fmt::format("(= {} {})", names[variable.slot + i], SmtLib::literal(value)));
        }
      }
    };
    fix(commands_.program().shared, shared_);
    for (std::string& fact : ghosts_.at_start()) facts.push_back(std::move(fact));
    for (std::size_t i = 0; i < threads.size(); ++i) {
      fix(commands_.program().templ(spots_[threads[i]].templ).locals, locals[i]);
    }
    if (const auto& condition = commands_.program().initial_condition; condition && !speaks_of_threads(*condition)) {
      const TemplateId none(std::size_t{0});
      facts.push_back(smtlib_.condition(*condition, 0, none));
      facts.push_back(fmt::format("(not {})", smtlib_.trouble(*condition, 0, none)));
    }
    Members members;
    for (std::size_t i = 0; i < threads.size(); ++i) members.push_back(i);
    const auto formula = allowed(threads, members, shared_, locals);
    if (!formula) refute("a view at the start is not listed");
    facts.push_back(fmt::format("(not {})", *formula));
    exclude(facts, "the invariant does not hold at the start");
  }

  std::vector<Mover> movers(const Command& command) const {
    std::vector<Mover> result{{at(command.from), command.to ? at(*command.to) : absent(command.edge.templ, true)}};
    for (const model::CommandChild& child : command.children) {
      result.push_back({absent(commands_.place(child.place).templ, false), at(child.place)});
    }
    for (const model::CommandTake& take : command.takes) {
      const TemplateId templ = commands_.place(take.from).templ;
      result.push_back({at(take.from), take.to ? at(*take.to) : absent(templ, true)});
    }
    return result;
  }

  void check_command(std::size_t index) {
    const Command& command = commands_.all()[index];
    const std::vector<Mover> moved = movers(command);
    const bool is_seen = command.writes_shared() || command.broadcasts || !ghosts_.changed_by(command).empty();
    COHORT_EXPECT(moved.size() <= model::Commands::most_movers, "a mask has a bit for each thread that moves");
    for (std::uint32_t mask = 0; mask < (1U << moved.size()); ++mask) {
      std::vector<std::uint32_t> missing = needed_;
      bool fits = true;
      for (std::size_t i = 0; i < moved.size(); ++i) {
        if (((mask >> i) & 1U) == 0) continue;
        std::uint32_t& count = missing[class_of(moved[i].from)];
        fits = fits && count > 0;
        if (count > 0) --count;
      }
      // Nobody outside can tell that such a step happened.
      if (!fits || (mask == 0 && !is_seen)) continue;
      Spots before;
      for (const Mover& mover : moved) before.push_back(mover.from);
      add_bystanders(index, moved, mask, before, missing, 0);
    }
  }

  void add_bystanders(std::size_t index, const std::vector<Mover>& moved, std::uint32_t mask, Spots& before,
                      std::vector<std::uint32_t>& missing, std::size_t from) {
    if (!going_ || !possible(before)) return;
    if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t count) { return count == 0; })) {
      Spots after;
      for (const Mover& mover : moved) after.push_back(mover.to);
      check_step(index, moved.size(), mask, before, after);
      return;
    }
    for (auto it = known_.lower_bound(from); it != known_.end(); ++it) {
      if (missing[class_of(*it)] == 0) continue;
      --missing[class_of(*it)];
      before.push_back(*it);
      add_bystanders(index, moved, mask, before, missing, *it);
      before.pop_back();
      ++missing[class_of(*it)];
    }
  }

  // Bystanders that a broadcast moves go to each of their targets.
  void check_step(std::size_t index, std::size_t moved, std::uint32_t mask, const Spots& before, Spots after) {
    const Command& command = commands_.all()[index];
    COHORT_EXPECT(moved <= after.size() && after.size() <= before.size(), "after the movers, bystanders one by one");
    // While a thread is inside an atomic section, no other moves.
    if (std::any_of(before.begin() + 1, before.end(), [&](std::size_t one) { return is_atomic(one); })) return;
    if (after.size() == before.size()) return check_clause(index, moved, mask, before, after);
    const Thread& bystander = spots_[before[after.size()]];
    for (const model::CommandMove& move : command.moves) {
      if (!bystander.place || *bystander.place != commands_.place(move.from)) continue;
      for (const PlaceId to : move.to) {
        Spots there = after;
        there.push_back(at(to));
        check_step(index, moved, mask, before, std::move(there));
      }
      return;
    }
    after.push_back(before[after.size()]);
    check_step(index, moved, mask, before, std::move(after));
  }

  void check_clause(std::size_t index, std::size_t moved, std::uint32_t mask, const Spots& before, const Spots& after) {
    bool reachable = true;
    for_each_view(before,
                  [&](const Members& members) { reachable = reachable && views_.contains(spots_of(before, members)); });
    if (!reachable) return;
    const Command& command = commands_.all()[index];
    Members seen;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (i >= moved || ((mask >> i) & 1U) != 0) seen.push_back(i);
    }
    std::stable_sort(seen.begin(), seen.end(), [&](std::size_t a, std::size_t b) { return after[a] < after[b]; });
    if (mask == 0 && !command.broadcasts && is_untouched(command, spots_of(after, seen))) return;
    std::vector<std::string> facts;
    const Locals locals = unknowns(before, facts);
    for_each_view(before, [&](const Members& members) { facts.push_back(*allowed(before, members, shared_, locals)); });
    const SmtLibStep& step = steps_[index];
    facts.push_back(step.enabled);
    Locals later{step.self};
    for (std::size_t i = 1; i < before.size(); ++i) {
      if (i <= command.children.size()) {
        later.push_back(step.children[i - 1]);
      } else if (i >= moved && command.broadcasts && spots_[before[i]].place &&
                 spots_[before[i]].templ == command.edge.templ) {
        SmtLibPassive passive = smtlib_.passive(command, i);
        facts.push_back(passive.possible);
        later.push_back(std::move(passive.locals));
      } else {
        later.push_back(locals[i]);
      }
    }
    COHORT_EXPECT(later.size() == before.size(), "every thread of the step has its locals after it");
    const auto head = allowed(after, seen, step.shared, later);
    if (head) facts.push_back(fmt::format("(not {})", *head));
    exclude(facts, fmt::format("a step from {} leads out of the invariant", commands_.name(command.from)));
  }

  // Does the formula of the view speak of nothing that the command writes?  Then it is kept by interference.
  bool is_untouched(const Command& command, const Spots& view) const {
    std::set<std::string> written;
    for (const model::Assign& assign : command.assigns) {
      if (assign.target.kind != model::LValue::Kind::Shared) continue;
      const model::Variable& variable = commands_.program().shared[assign.target.var.value];
      for (std::uint32_t i = 0; i < variable.type.slots(); ++i) written.insert(SmtLib::shared_name(variable.slot + i));
    }
    for (std::string& ghost : ghosts_.changed_by(command)) written.insert(std::move(ghost));
    return !views_.at(view).formula.mentions(written);
  }

  void check_errors() {
    for (const auto& [view, listed] : views_) {
      for (std::size_t i = 0; i < view.size() && going_; ++i) {
        const auto& place = spots_[view[i]].place;
        if (!place) continue;
        if (commands_.program().templ(place->templ).locations[place->location.value].error) {
          refute("a view is at an error location");
        }
        check_faults(view, i);
      }
    }
    for (const Property& property : commands_.program().properties) {
      switch (property.kind) {
        case Property::Kind::Assertion:
        case Property::Kind::ErrorLabel:
        case Property::Kind::Cut:
        case Property::Kind::Fault: break;
        case Property::Kind::Cover: check_cover(property, {}); break;
        case Property::Kind::Condition: check_together({}, property.condition); break;
        case Property::Kind::Deadlock: refute("invariants of a few threads say nothing of deadlocks");
      }
    }
  }

  void check_faults(const Spots& view, std::size_t position) {
    Spots threads{view[position]};
    for (std::size_t i = 0; i < view.size(); ++i) {
      if (i == position) continue;
      if (is_atomic(view[i])) return;
      threads.push_back(view[i]);
    }
    const auto place = commands_.find(*spots_[view[position]].place);
    COHORT_EXPECT(place.has_value(), "spots are made of the places within reach");
    for (const std::uint32_t index : commands_.from(*place)) {
      const bool counts = commands_.program().faults == model::FaultPolicy::Violation;
      const std::string wrong = counts ? steps_[index].fault : steps_[index].overflow;
      if (wrong == "false") continue;
      std::vector<std::string> facts;
      const Locals locals = unknowns(threads, facts);
      for_each_view(threads,
                    [&](const Members& members) { facts.push_back(*allowed(threads, members, shared_, locals)); });
      facts.push_back(wrong);
      exclude(facts, fmt::format("a step at {} may fault", commands_.name(*place)));
    }
  }

  void check_cover(const Property& property, const Spots& chosen) {
    COHORT_EXPECT(chosen.size() <= property.threads.size(), "a spot is chosen for each thread of the target");
    if (chosen.size() == property.threads.size()) return check_together(chosen, property.condition);
    const auto& [templ, location] = property.threads[chosen.size()];
    for (const bool atomic : {false, true}) {
      const model::Place place{templ, location, atomic};
      if (!commands_.find(place)) continue;
      Spots more = chosen;
      more.push_back(spot({templ, place, false}));
      check_cover(property, more);
    }
  }

  // Threads at these spots, with others that fill up a view.
  void check_together(const Spots& threads, const std::optional<model::ExprId>& condition) {
    if (!going_ || !possible(threads)) return;
    std::vector<std::uint32_t> present(needed_.size(), 0);
    for (const std::size_t one : threads) ++present[class_of(one)];
    for (std::size_t which = 0; which < needed_.size(); ++which) {
      if (present[which] >= needed_[which]) continue;
      for (const std::size_t one : known_) {
        if (class_of(one) != which) continue;
        Spots more = threads;
        more.push_back(one);
        check_together(more, condition);
      }
      return;
    }
    std::vector<std::string> facts;
    const Locals locals = unknowns(threads, facts);
    bool reachable = true;
    for_each_view(threads, [&](const Members& members) {
      const auto formula = allowed(threads, members, shared_, locals);
      reachable = reachable && formula;
      if (formula) facts.push_back(*formula);
    });
    if (!reachable) return;
    if (condition) {
      const TemplateId none(std::size_t{0});
      facts.push_back(
          fmt::format("(or {} {})", smtlib_.condition(*condition, 0, none), smtlib_.trouble(*condition, 0, none)));
    }
    exclude(facts, "a bad state of several threads is allowed");
  }

  Env& env_;
  const model::Commands commands_;
  const std::vector<std::optional<std::uint64_t>> limits_;
  SmtLib smtlib_;
  ModularGhosts ghosts_;
  SolverProcess solver_;
  std::vector<Thread> spots_;
  std::vector<std::size_t> classes_;   // by template: 0 is the crowd
  std::vector<std::uint32_t> needed_;  // by class: threads in a view
  std::map<Spots, Listed> views_;
  std::set<std::size_t> known_;  // spots of some view
  std::vector<std::string> shared_;
  std::vector<SmtLibStep> steps_;
  std::size_t queries_ = 0;
  bool going_ = true;
};

}  // namespace

namespace {

std::string check(const Checking& checking) {
  if (const auto refusal = model::Commands::refuses(checking.program)) refuse(*refusal);
  if (checking.bound) {
    // At a bound, a creation may do nothing; the commands know no such step.
    const auto most = model::most_threads(checking.program);
    if (!most || *most > *checking.bound) refuse("invariants of a few threads say nothing of a bound on the threads");
  }
  Checker checker(checking);
  if (!checker.run()) {
    const bool limit = checking.env.stop_reason() != StopReason::None;
    refuse(limit ? checking.env.describe_stop() : "the solver gave up");
  }
  const std::string number =
      checker.rests_on_assumption()
          ? fmt::format("any number of threads, of which at most {} exist at a time,", ModularGhosts::most_alive)
          : "any number of threads";
  return fmt::format("the formulas of {} views are inductive for {} and exclude every violation ({} queries to {})",
                     checker.views(), number, checker.queries(), checker.solver());
}

bool judges(model::PropertyKind kind) {
  using Kind = model::PropertyKind;
  switch (kind) {
    case Kind::Assertion:
    case Kind::ErrorLabel:
    case Kind::Cut:
    case Kind::Cover:
    case Kind::Condition:
    case Kind::Fault: return true;
    case Kind::Deadlock: return false;  // it concerns all threads at once
  }
  COHORT_UNREACHABLE("every kind of property is judged or not");
}

}  // namespace

const CertificateKind modular_kind{ModularCertificate::kind_name, judges, check};

}  // namespace cohort::result
