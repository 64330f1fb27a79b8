#include "cli/several_files.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/answer_files.hpp"
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

// A folder that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / ("cohort-" + std::string(6, 'X'))).string();
    if (mkdtemp(pattern.data()) == nullptr) throw UsageError("cannot make a folder for temporary files");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& kind, std::size_t number) const {
    return (path_ / fmt::format("{}-{}", kind, number)).string();
  }

 private:
  std::filesystem::path path_;
};

std::string read_whole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct Outcome {
  std::string file;
  double seconds = 0;
  int exit_code = static_cast<int>(ExitCode::Internal);
  std::string verdict = "ERROR";
  std::string headline;
  std::string said;  // on standard error
  ordered_json document;
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
  return verdict == "UNKNOWN" ? document["reason"].get<std::string>() : scope;
}

class Verification {
 public:
  Verification(Console& console, Env& env, const SeveralFiles& task) : console_(console), env_(env), task_(task) {
    outcomes_.resize(task.parts.size());
    jobs_ = task.jobs != 0 ? task.jobs : std::max(1U, std::thread::hardware_concurrency());
    for (const Part& part : task.parts) widest_ = std::max(widest_, part.name.size());
  }

  ExitCode run() {
    std::size_t next = 0;
    while (next < task_.parts.size() || !running_.empty()) {
      const bool stopping = env_.poll_now("verify-each");
      if (stopping) stop_all();
      while (!stopping && next < task_.parts.size() && running_.size() < jobs_) start(next++);
      if (stopping) {
        for (; next < task_.parts.size(); ++next) leave_out(next);
      }
      if (!collect()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      print_rows();
    }
    print_rows();
    const ExitCode code = worst();
    finish(code);
    return code;
  }

 private:
  struct Child {
    std::size_t number = 0;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    bool told_to_stop = false;
  };

  void start(std::size_t number) {
    std::vector<std::string> arguments = {"cohort", "verify"};
    const Part& part = task_.parts[number];
    arguments.insert(arguments.end(), part.arguments.begin(), part.arguments.end());
    arguments.insert(arguments.end(), task_.arguments.begin(), task_.arguments.end());
    for (const char* more : {"--format", "json", "--jobs", "1"}) arguments.emplace_back(more);
    if (!task_.sarif.empty()) {
      arguments.emplace_back("--sarif");
      arguments.push_back(folder_.file("sarif", number));
    }
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    const std::string out = folder_.file("out", number);
    const std::string err = folder_.file("err", number);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
    pid_t child = 0;
    const int failure = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    outcomes_[number].emplace();
    outcomes_[number]->file = task_.parts[number].name;
    if (failure == 0) {
      running_[child] = {number};
      pending_.push_back(number);
      outcomes_[number]->headline = "";
    } else {
      outcomes_[number]->headline = "cannot start a process for it";
    }
  }

  void leave_out(std::size_t number) {
    Outcome outcome{.file = task_.parts[number].name};
    outcome.exit_code = static_cast<int>(ExitCode::Unknown);
    outcome.verdict = "UNKNOWN";
    outcome.headline = "not begun: " + env_.describe_stop();
    outcomes_[number] = std::move(outcome);
  }

  // They end with what they have established.
  void stop_all() {
    for (auto& [process, child] : running_) {
      if (!child.told_to_stop) kill(process, SIGTERM);
      child.told_to_stop = true;
    }
  }

  // Was there one that has ended?
  bool collect() {
    for (auto it = running_.begin(); it != running_.end(); ++it) {
      int status = 0;
      if (waitpid(it->first, &status, WNOHANG) != it->first) continue;
      const Child child = it->second;
      running_.erase(it);
      std::erase(pending_, child.number);
      take(child, status);
      return true;
    }
    return false;
  }

  void take(const Child& child, int status) {
    Outcome& outcome = *outcomes_[child.number];
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - child.begin).count();
    outcome.said = read_whole(folder_.file("err", child.number));
    outcome.document =
        ordered_json::parse(read_whole(folder_.file("out", child.number)), nullptr, /*allow_exceptions=*/false);
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

  bool is_open(std::size_t number) const {
    return !outcomes_[number] || std::find(pending_.begin(), pending_.end(), number) != pending_.end();
  }

  void print_rows() {
    for (; printed_ < outcomes_.size() && !is_open(printed_); ++printed_) {
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
      const auto part = ordered_json::parse(read_whole(folder_.file("sarif", i)), nullptr, /*allow_exceptions=*/false);
      if (part.is_object()) {
        log.add_log(part);
      } else if (outcomes_[i]->exit_code != static_cast<int>(ExitCode::Unknown)) {
        log.add_error(outcomes_[i]->file, outcomes_[i]->headline);
      }
    }
    return log.document(static_cast<int>(code));
  }

  Console& console_;
  Env& env_;
  const SeveralFiles& task_;
  const Folder folder_;
  std::size_t jobs_ = 1;
  std::size_t widest_ = 0;
  std::vector<std::optional<Outcome>> outcomes_;
  std::map<pid_t, Child> running_;
  std::vector<std::size_t> pending_;
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
  expect_writable(task.sarif);
  expect_writable(task.junit);
  return Verification(console, env, task).run();
}

}  // namespace cohort::cli
