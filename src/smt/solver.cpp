#include "smt/solver.hpp"

#include <z3.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <new>
#include <thread>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "base/processor_time.hpp"
#include "base/source.hpp"

namespace cohort::smt {

namespace {

// Interrupts Z3 when a limit is reached, for as long as it lives.  Z3 forgets an interrupt that comes while no
// procedure is at work, so it is repeated.
class Watcher {
 public:
  Watcher(const Limits& limits, Z3_context context, std::optional<double> budget)
      : deadline_(processor_seconds() + budget.value_or(1e9)),
        thread_([this, &limits, context] { watch(limits, context); }) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void watch(const Limits& limits, Z3_context context) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(20), [this] { return done_; })) {
      if (limits.check() != StopReason::None || processor_seconds() > deadline_) Z3_interrupt(context);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  const double deadline_;
  std::thread thread_;
};

Z3_solver make_solver(Z3_context context, const SolverOptions& options) {
  const auto for_logic = [&](const char* logic) {
    return Z3_mk_solver_for_logic(context, Z3_mk_string_symbol(context, logic));
  };
  if (options.logic == Logic::Integers) return for_logic("QF_LIA");
  if (options.logic == Logic::Horn) return for_logic("HORN");
  // Bit-blasting to Z3's SAT solver.  Its solver for finite domains (QF_FD) preprocesses less and was slower on the
  // file system and the indexer of bench/pbmc.
  return for_logic("QF_BV");
}

}  // namespace

Solver::Solver(Env& env, Context& context, SolverOptions options)
    : env_(env), context_(context), options_(std::move(options)) {
  open();
}

Solver::~Solver() {
  close();
}

void Solver::open() {
  solver_ = make_solver(context_.raw(), options_);
  if (solver_ == nullptr) throw std::bad_alloc();
  Z3_solver_inc_ref(context_.raw(), solver_);
  // While it is at work, Z3 would take SIGINT for itself, and the run would not know that it was interrupted.
  Z3_params params = Z3_mk_params(context_.raw());
  Z3_params_inc_ref(context_.raw(), params);
  Z3_params_set_bool(context_.raw(), params, Z3_mk_string_symbol(context_.raw(), "ctrl_c"), false);
  Z3_solver_set_params(context_.raw(), solver_, params);
  Z3_params_dec_ref(context_.raw(), params);
  most_conflicts_ = UINT_MAX;
}

void Solver::close() {
  drop_model();
  if (solver_ != nullptr) Z3_solver_dec_ref(context_.raw(), solver_);
  solver_ = nullptr;
}

void Solver::drop_model() {
  if (model_ != nullptr) Z3_model_dec_ref(context_.raw(), model_);
  model_ = nullptr;
}

void Solver::add(Term formula) {
  if (context_.is_true(formula)) return;
  put(formula);
  if (pushed_ == 0) assertions_.push_back(formula);
}

void Solver::put(Term formula) {
  Z3_solver_assert(context_.raw(), solver_, formula.raw());
  if (const Z3_error_code code = Z3_get_error_code(context_.raw()); code != Z3_OK) {
    if (code == Z3_MEMOUT_FAIL) throw std::bad_alloc();
    throw InternalError(fmt::format("Z3 refuses a formula: {}", Z3_get_error_msg(context_.raw(), code)));
  }
}

void Solver::push() {
  Z3_solver_push(context_.raw(), solver_);
  ++pushed_;
}

void Solver::pop() {
  COHORT_EXPECT(pushed_ > 0, "only what was pushed is popped");
  Z3_solver_pop(context_.raw(), solver_, 1);
  --pushed_;
}

// The old solver would give its assertions back as the clauses that it made of them, hence the list.
void Solver::restart() {
  COHORT_EXPECT(pushed_ == 0, "a restart keeps all assertions");
  close();
  open();
  for (const Term formula : assertions_) put(formula);
}

void Solver::limit_conflicts(unsigned most) {
  if (most == most_conflicts_) return;
  most_conflicts_ = most;
  Z3_params params = Z3_mk_params(context_.raw());
  Z3_params_inc_ref(context_.raw(), params);
  Z3_params_set_uint(context_.raw(), params, Z3_mk_string_symbol(context_.raw(), "max_conflicts"), most);
  Z3_solver_set_params(context_.raw(), solver_, params);
  Z3_params_dec_ref(context_.raw(), params);
}

Answer Solver::check(std::span<const Term> assumptions, const Budget& budget) {
  drop_model();
  reason_.clear();
  within_budget_ = true;
  if (!options_.dump_folder.empty()) dump(assumptions);
  ++checks_;
  if (env_.poll_now("smt-check")) {
    reason_ = env_.describe_stop();
    return Answer::Unknown;
  }
  limit_conflicts(budget.conflicts.value_or(UINT_MAX));
  std::vector<Z3_ast> literals;
  for (const Term term : assumptions) literals.push_back(term.raw());
  const auto start = std::chrono::steady_clock::now();
  Z3_lbool answer = Z3_L_UNDEF;
  {
    const Watcher watcher(env_.limits, context_.raw(), budget.seconds);
    answer =
        Z3_solver_check_assumptions(context_.raw(), solver_, static_cast<unsigned>(literals.size()), literals.data());
  }
  solve_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (answer == Z3_L_FALSE) return Answer::Unsatisfiable;
  if (answer == Z3_L_TRUE) {
    model_ = Z3_solver_get_model(context_.raw(), solver_);
    COHORT_EXPECT(model_ != nullptr, "a satisfiable formula has a model");
    Z3_model_inc_ref(context_.raw(), model_);
    return Answer::Satisfiable;
  }
  // A stop of the run comes first: it interrupts Z3, which then has reasons of its own.
  if (env_.poll_now()) {
    reason_ = env_.describe_stop();
  } else if (Z3_get_error_code(context_.raw()) == Z3_MEMOUT_FAIL) {
    reason_ = "Z3 is out of memory";
  } else {
    within_budget_ = !budget.conflicts && !budget.seconds;
    reason_ = fmt::format("Z3 gives up: {}", Z3_solver_get_reason_unknown(context_.raw(), solver_));
  }
  return Answer::Unknown;
}

void Solver::dump(std::span<const Term> assumptions) const {
  const std::string path = fmt::format("{}/check-{:03}.smt2", options_.dump_folder, checks_);
  std::ofstream file(path);
  file << "; cohort: check " << checks_ << "\n" << Z3_solver_to_string(context_.raw(), solver_);
  for (const Term term : assumptions) {
    file << "(assert " << Z3_ast_to_string(context_.raw(), term.raw()) << ")\n";
  }
  file << "(check-sat)\n";
  file.close();
  if (!file) throw_malformed({}, fmt::format("cannot write the formula to {}", path));
}

_Z3_ast* Solver::value(Term term) const {
  COHORT_EXPECT(model_ != nullptr, "values are asked for after a satisfiable check");
  Z3_ast result = nullptr;
  const bool evaluated = Z3_model_eval(context_.raw(), model_, term.raw(), true, &result);
  if (Z3_get_error_code(context_.raw()) == Z3_MEMOUT_FAIL) throw std::bad_alloc();
  COHORT_EXPECT(evaluated && result != nullptr, "every term has a value in a model");
  return result;
}

bool Solver::boolean_value(Term term) const {
  return Z3_get_bool_value(context_.raw(), value(term)) == Z3_L_TRUE;
}

std::int64_t Solver::bits_value(Term term, bool is_signed) const {
  const Z3_ast result = value(term);
  std::uint64_t bits = 0;
  COHORT_EXPECT(Z3_get_numeral_uint64(context_.raw(), result, &bits), "a bit-vector has a value of at most 64 bits");
  const unsigned width = Z3_get_bv_sort_size(context_.raw(), Z3_get_sort(context_.raw(), term.raw()));
  if (is_signed && width < 64 && ((bits >> (width - 1)) & 1U) != 0) bits |= ~std::uint64_t{0} << width;
  return static_cast<std::int64_t>(bits);
}

std::int64_t Solver::integer_value(Term term) const {
  std::int64_t result = 0;
  COHORT_EXPECT(Z3_get_numeral_int64(context_.raw(), value(term), &result), "an integer of a run has 64 bits");
  return result;
}

}  // namespace cohort::smt
