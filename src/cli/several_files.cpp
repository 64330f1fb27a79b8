#include "cli/several_files.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/answer_files.hpp"
#include "cli/part_processes.hpp"
#include "cli/part_ranks.hpp"
#include "cli/usage_error.hpp"
#include "load/load.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"

namespace cohort::cli {

using nlohmann::ordered_json;
using report::JunitCase;

namespace {

constexpr const char* summary_schema = "cohort-summary-1";

struct Outcome {
  std::string file;
  double seconds = 0;
  int exit_code = static_cast<int>(ExitCode::Internal);
  std::string verdict = "ERROR";
  std::string headline;
  std::string said;  // on standard error
  ordered_json document;
  ordered_json sarif;
};

// In the order of the table, the worst first.
constexpr std::array<ExitCode, 6> by_badness = {ExitCode::Unsafe, ExitCode::Internal, ExitCode::Malformed,
                                                ExitCode::Usage,  ExitCode::Unknown,  ExitCode::Safe};

std::string property_words(const ordered_json& document) {
  const ordered_json& property = document["property"];
  std::string words = property["text"].get<std::string>();
  if (property.contains("line"))
    words += fmt::format(" at {}:{}", property["file"].get<std::string>(), property["line"].get<std::uint64_t>());
  return words;
}

// What the document says in one line, behind the verdict.
std::string headline_of(const ordered_json& document, const std::string& verdict) {
  if (document.contains("error")) {
    const ordered_json& error = document["error"];
    std::string place;
    if (error.contains("line"))
      place = fmt::format("{}:{}: ", error["file"].get<std::string>(), error["line"].get<std::uint64_t>());
    return place + error["message"].get<std::string>();
  }
  const std::string scope = document["scope"]["words"].get<std::string>();
  if (verdict == "UNSAFE") return scope + ": " + property_words(document);
  if (verdict == "UNKNOWN") return document["reason"].get<std::string>();
  const ordered_json& up_to = document["up_to"];
  if (!up_to.is_null()) return fmt::format("{}, up to {}", scope, up_to.get<std::string>());
  return document["checks_nothing"].get<bool>() ? scope + ": there is nothing to check" : scope;
}

class Verification {
 public:
  Verification(Console& console, Env& env, const SeveralFiles& task)
      : console_(console), env_(env), task_(task), processes_(task), ranks_(task, task.ranks) {
    outcomes_.resize(task.parts.size());
    jobs_ = task.jobs != 0 ? task.jobs : std::max(1U, std::thread::hardware_concurrency());
    if (task.ranks != nullptr) jobs_ = 1;
    for (std::size_t number = 0; number < task.parts.size(); ++number) open_.push_back(number);
    for (const Part& part : task.parts) widest_ = std::max(widest_, part.name.size());
  }

  ExitCode run() {
    while (!open_.empty() || processes_.running() + ranks_.running() > 0) {
      if (env_.poll_now("verify-each")) {
        processes_.stop_all();
        ranks_.stop_all();
        for (const std::size_t number : open_) leave_out(number);
        open_.clear();
      }
      while (!open_.empty() && start(open_.front())) open_.pop_front();
      if (!collect()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      print_rows();
    }
    print_rows();
    const ExitCode code = worst();
    finish(code);
    return code;
  }

 private:
  // False if everybody is busy.
  bool start(std::size_t number) {
    if (ranks_.start(number)) return true;
    if (processes_.running() >= jobs_) return false;
    if (!processes_.start(number)) {
      outcomes_[number] = Outcome{.file = task_.parts[number].name, .headline = "cannot start a process for it"};
    }
    return true;
  }

  void leave_out(std::size_t number) {
    Outcome outcome{.file = task_.parts[number].name};
    outcome.exit_code = static_cast<int>(ExitCode::Unknown);
    outcome.verdict = "UNKNOWN";
    outcome.headline = "not begun: " + env_.describe_stop();
    outcomes_[number] = std::move(outcome);
  }

  // Was there one that has ended?
  bool collect() {
    std::optional<PartResult> result = processes_.collect();
    if (!result) result = ranks_.collect();
    if (result) take(*result);
    // What somebody left undone comes next.
    while (const auto number = ranks_.lost()) open_.push_front(*number);
    return result.has_value();
  }

  void take(const PartResult& result) {
    Outcome& outcome = outcomes_[result.number].emplace();
    outcome.file = task_.parts[result.number].name;
    outcome.seconds = result.seconds;
    outcome.said = result.err;
    outcome.document = ordered_json::parse(result.out, nullptr, /*allow_exceptions=*/false);
    outcome.sarif = ordered_json::parse(result.sarif, nullptr, /*allow_exceptions=*/false);
    const int status = result.status;
    const bool has_document = outcome.document.is_object() && outcome.document.contains("schema");
    if (!WIFEXITED(status) || !has_document) {
      outcome.headline = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                             : outcome.said.substr(0, outcome.said.find('\n'));
      if (WIFEXITED(status) && WEXITSTATUS(status) != 0) outcome.exit_code = WEXITSTATUS(status);
      outcome.document = nullptr;
      return;
    }
    outcome.exit_code = WEXITSTATUS(status);
    if (outcome.document.contains("verdict")) outcome.verdict = outcome.document["verdict"].get<std::string>();
    outcome.headline = headline_of(outcome.document, outcome.verdict);
    std::replace(outcome.headline.begin(), outcome.headline.end(), '\n', ' ');
  }

  void print_rows() {
    for (; printed_ < outcomes_.size() && outcomes_[printed_]; ++printed_) {
      const Outcome& outcome = *outcomes_[printed_];
      if (!task_.json && !console_.quiet()) {
        console_.out(fmt::format("{:<7}  {:>7.1f} s  {:<{}}  {}\n", outcome.verdict, outcome.seconds, outcome.file,
                                 widest_, outcome.headline));
      }
    }
  }

  ExitCode worst() const {
    for (const ExitCode code : by_badness) {
      const auto has = [&](const auto& outcome) { return outcome->exit_code == static_cast<int>(code); };
      if (std::any_of(outcomes_.begin(), outcomes_.end(), has)) return code;
    }
    return ExitCode::Internal;
  }

  std::size_t count(std::string_view verdict) const {
    const auto is = [&](const auto& outcome) { return outcome->verdict == verdict; };
    return static_cast<std::size_t>(std::count_if(outcomes_.begin(), outcomes_.end(), is));
  }

  void finish(ExitCode code) {
    if (!task_.sarif.empty()) write_file(task_.sarif, report::document_text(merged_sarif(code)));
    if (!task_.junit.empty()) write_file(task_.junit, junit());
    if (task_.json) {
      console_.out(report::document_text(summary()));
      return;
    }
    const std::string kind = task_.kind;
    const std::string several = kind.ends_with('y') ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
    console_.out(fmt::format("{} {}: {} SAFE, {} UNSAFE, {} UNKNOWN, {} with errors; {:.1f} s\n", outcomes_.size(),
                             outcomes_.size() == 1 ? kind : several, count("SAFE"), count("UNSAFE"), count("UNKNOWN"),
                             count("ERROR"), env_.limits.elapsed_seconds()));
  }

  ordered_json summary() const {
    ordered_json files = ordered_json::array();
    for (const auto& outcome : outcomes_) {
      files.push_back({{"file", outcome->file},
                       {"verdict", outcome->verdict},
                       {"headline", outcome->headline},
                       {"seconds", outcome->seconds},
                       {"exit_code", outcome->exit_code},
                       {"document", outcome->document}});
    }
    return {{"schema", summary_schema},       {"version", version()},
            {"tool", report::tool_to_json()}, {"safe", count("SAFE")},
            {"unsafe", count("UNSAFE")},      {"unknown", count("UNKNOWN")},
            {"errors", count("ERROR")},       {"files", files}};
  }

  std::string junit() const {
    std::vector<JunitCase> cases;
    for (const auto& outcome : outcomes_) {
      JunitCase one{.name = outcome->file, .seconds = outcome->seconds, .message = outcome->headline};
      if (outcome->verdict == "UNSAFE") {
        one.kind = JunitCase::Kind::Failed;
        for (const ordered_json& step : outcome->document["trace"]["steps"]) {
          const std::string line = step.contains("line") ? ":" + std::to_string(step["line"].get<std::uint64_t>()) : "";
          one.details +=
              fmt::format("{}{}  {}\n", step["thread"].get<std::string>(), line, step["statement"].get<std::string>());
        }
      } else if (outcome->verdict == "UNKNOWN") {
        one.kind = JunitCase::Kind::Skipped;
      } else if (outcome->verdict == "ERROR") {
        one.kind = JunitCase::Kind::Error;
        one.details = outcome->said;
      }
      cases.push_back(std::move(one));
    }
    return report::to_junit(cases, env_.limits.elapsed_seconds());
  }

  // One run for all files: places where code scanners show results take no more.
  ordered_json merged_sarif(ExitCode code) const {
    report::SarifLog log;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (outcomes_[i]->sarif.is_object()) {
        log.add_log(outcomes_[i]->sarif);
      } else if (outcomes_[i]->exit_code != static_cast<int>(ExitCode::Unknown)) {
        log.add_error(outcomes_[i]->file, outcomes_[i]->headline);
      }
    }
    return log.document(static_cast<int>(code));
  }

  Console& console_;
  Env& env_;
  const SeveralFiles& task_;
  PartProcesses processes_;
  PartRanks ranks_;
  std::size_t jobs_ = 1;          // at a time in this process
  std::deque<std::size_t> open_;  // parts that nobody has begun
  std::size_t widest_ = 0;
  std::vector<std::optional<Outcome>> outcomes_;
  std::size_t printed_ = 0;
};

void search(const std::filesystem::path& folder, std::vector<std::string>& found) {
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const auto& path : entries) {
    if (path.filename().string().starts_with('.')) continue;
    // A link to a folder may lead back here.
    if (std::filesystem::is_directory(path)) {
      if (!std::filesystem::is_symlink(path)) search(path, found);
    } else if (load::front_end_for(path.string()) != nullptr) {
      found.push_back(path.string());
    }
  }
}

}  // namespace

std::vector<std::string> programs_in(const std::vector<std::string>& arguments) {
  std::vector<std::string> found;
  for (const std::string& argument : arguments) {
    if (!std::filesystem::is_directory(argument)) {
      found.push_back(argument);
      continue;
    }
    try {
      search(argument, found);
    } catch (const std::filesystem::filesystem_error& error) {
      throw UsageError(error.what());
    }
  }
  if (found.empty()) throw UsageError("there is no file here that a front end reads");
  return found;
}

std::vector<Part> parts_of_files(const std::vector<std::string>& files) {
  std::vector<Part> parts;
  for (const std::string& file : files) parts.push_back({file, {file}});
  return parts;
}

std::vector<std::string> arguments_for_each(const std::vector<std::string>& given,
                                            const std::vector<std::string>& files) {
  constexpr std::array<std::string_view, 5> switches = {"--each-file", "--each", "-q", "--quiet", "--stats"};
  constexpr std::array<std::string_view, 5> valued = {"--junit", "--sarif", "--format", "--jobs", "-j"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& argument = given[i];
    const auto is = [&](std::string_view name) { return argument == name; };
    const auto holds = [&](std::string_view name) {
      return argument.starts_with(std::string(name) + "=") || (name == "-j" && argument.starts_with("-j"));
    };
    if (std::any_of(switches.begin(), switches.end(), is)) continue;
    if (std::any_of(valued.begin(), valued.end(), is)) {
      ++i;
      continue;
    }
    if (std::any_of(valued.begin(), valued.end(), holds)) continue;
    if (std::find(files.begin(), files.end(), argument) == files.end()) kept.push_back(argument);
  }
  return kept;
}

ExitCode verify_each(Console& console, Env& env, const SeveralFiles& task) {
  if (task.ranks != nullptr && task.ranks->self() != 0) {
    serve_parts(env, task, *task.ranks);
    return ExitCode::Safe;
  }
  expect_writable(task.sarif);
  expect_writable(task.junit);
  return Verification(console, env, task).run();
}

}  // namespace cohort::cli
