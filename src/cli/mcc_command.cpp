// Each question becomes a program whose violations decide it, and the engine `coverability` looks for one.  Bounds are
// read off the labels of the Karp-Miller tree where it ends in its share of the time; otherwise one more token than has
// been seen is asked for until that is impossible.  The time limit is shared out among the questions that are left.
#include "cli/mcc_command.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/core.h>

#include "base/contract.hpp"
#include "cli/usage_error.hpp"
#include "result/omega_certificate.hpp"
#include "strategy/verify.hpp"

namespace cohort::cli {

namespace {

using load::Contest;
using load::ContestQuestion;
using Kind = ContestQuestion::Kind;
using result::Verdict;

constexpr const char* nothing = "CANNOT_COMPUTE";

bool is_known(const std::string& examination) {
  return examination == "ReachabilityCardinality" || examination == "ReachabilityFireability" ||
         examination == "UpperBounds";
}

// The method that had the answer, as a word of the contest.
std::string technique(const Env& env) {
  std::string word = "COVERABILITY";
  if (const auto* decided = env.statistics.find("decided_by")) {
    word = to_string(*decided);
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_'; });
  }
  return word;
}

result::Answer ask(Env& env, const model::Program& program) {
  return strategy::verify(env, program, {.engine = "coverability", .threads = {.any_number = true, .bound = {}}});
}

// How often each place is asked for, by where its tokens are.
std::map<std::pair<model::TemplateId, model::LocId>, std::uint64_t> weights_of(const ContestQuestion& question) {
  std::map<std::pair<model::TemplateId, model::LocId>, std::uint64_t> weights;
  for (const auto place : question.sum) ++weights[Contest::position(place)];
  return weights;
}

std::uint64_t tokens_in(const model::State& state, const ContestQuestion& question) {
  const auto weights = weights_of(question);
  std::uint64_t sum = 0;
  for (const auto& thread : state.threads) {
    if (!thread) continue;
    const auto weight = weights.find({thread->templ, thread->location});
    if (weight != weights.end()) sum += weight->second;
  }
  return sum;
}

// The most tokens that a label of the cover has; none: any number.
std::optional<std::uint64_t> most_in(const result::OmegaCertificate& cover, const ContestQuestion& question) {
  const auto weights = weights_of(question);
  std::uint64_t most = 0;
  for (const auto& configuration : cover.configurations) {
    std::uint64_t sum = 0;
    for (const auto& [local, count] : configuration.cells) {
      const model::ThreadState& thread = cover.locals[local];
      const auto weight = weights.find({thread.templ, thread.location});
      if (weight == weights.end()) continue;
      if (!count) return std::nullopt;
      sum += weight->second * *count;
    }
    most = std::max(most, sum);
  }
  return most;
}

// The part of the time that is left for one of so many questions.
Env part_of(const Env& env, std::size_t questions) {
  Env part = env;
  if (const auto limit = env.limits.time_limit()) {
    const double now = env.limits.elapsed_seconds();
    part.limits.set_time_limit(now + std::max(0.0, *limit - now) / static_cast<double>(questions));
  }
  return part;
}

}  // namespace

std::string MccCommand::examples() const {
  return "  cohort mcc model --examination UpperBounds    model/model.pnml and model/UpperBounds.xml\n"
         "  BK_EXAMINATION=ReachabilityCardinality cohort mcc . --time-limit 3600\n"
         "                                                in the working folder, as the contest starts tools";
}

void MccCommand::declare(OptionTable& table) {
  table.argument("MODEL", model_, "The folder with model.pnml and the questions, or the net itself");
  table.group("What is asked");
  table.text({"--examination", "NAME",
              "ReachabilityCardinality, ReachabilityFireability or UpperBounds; without it, what BK_EXAMINATION says"},
             examination_);
  run_.declare(table);
}

std::string MccCommand::answer(Env& env, const Contest& contest, const ContestQuestion& question) {
  if (!question.refusal.empty()) return nothing;
  if (question.kind == Kind::Bound) return bound(env, contest, question);
  const result::Answer answer = ask(env, contest.program(question));
  if (answer.result.verdict == Verdict::Unknown) return nothing;
  const bool reached = answer.result.verdict == Verdict::Unsafe;
  return fmt::format("{} TECHNIQUES {}", reached == (question.kind == Kind::Reachable) ? "TRUE" : "FALSE",
                     technique(env));
}

std::string MccCommand::bound(Env& env, const Contest& contest, const ContestQuestion& question) {
  {
    Env half = part_of(env, 2);
    strategy::Options options{.engine = "karp-miller", .threads = {.any_number = true, .bound = {}}};
    options.engine_options.certificate = true;
    const result::Answer cover = strategy::verify(half, contest.net(), options);
    if (const auto* set = dynamic_cast<const result::OmegaCertificate*>(cover.result.certificate.get())) {
      const auto most = most_in(*set, question);
      return fmt::format("{} TECHNIQUES KARP_MILLER", most ? std::to_string(*most) : "+inf");
    }
  }
  for (std::uint64_t seen = contest.tokens_at_start(question);;) {
    const result::Answer more = ask(env, contest.program(question, seen + 1));
    if (more.result.verdict == Verdict::Safe) return fmt::format("{} TECHNIQUES {}", seen, technique(env));
    if (more.result.verdict == Verdict::Unknown) return nothing;
    const std::uint64_t found = tokens_in(more.result.run->last(), question);
    COHORT_EXPECT(found > seen, "the run ends with more tokens than were seen before");
    seen = found;
  }
}

ExitCode MccCommand::run(Console& console) {
  Env env;
  run_.apply(console, env);
  if (examination_.empty()) {
    const char* named = std::getenv("BK_EXAMINATION");
    if (named == nullptr) throw UsageError("which examination? name it by --examination or BK_EXAMINATION");
    examination_ = named;
  }
  if (!is_known(examination_)) {
    console.out("DO_NOT_COMPETE\n");
    return ExitCode::Unknown;
  }
  std::filesystem::path net = model_;
  if (std::filesystem::is_directory(net)) net /= "model.pnml";
  const std::filesystem::path questions = net.parent_path() / (examination_ + ".xml");
  const Contest contest(read_source_file(net.string()), read_source_file(questions.string()), &env);
  std::size_t left = contest.questions().size();
  bool all = true;
  for (const ContestQuestion& question : contest.questions()) {
    Env part = part_of(env, left--);
    std::string said = nothing;
    try {
      said = answer(part, contest, question);
    } catch (const Stopped&) {
      // Not in its share of the time.
    } catch (const InputError& error) {
      if (error.kind() != InputError::Kind::Unsupported) throw;
      console.warning(error.render());
    }
    if (!question.refusal.empty()) console.warning(fmt::format("{}: {}", question.id, question.refusal));
    all = all && said != nothing;
    console.out(fmt::format("FORMULA {} {}\n", question.id, said));
  }
  return all ? ExitCode::Safe : ExitCode::Unknown;
}

}  // namespace cohort::cli
