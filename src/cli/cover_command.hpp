// `cohort cover`: the minimal cover of a program for any number of threads, or the Karp-Miller tree that it is read
// off.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/input_arguments.hpp"
#include "cli/report_options.hpp"
#include "cli/run_arguments.hpp"
#include "engine/cover.hpp"

namespace cohort::cli {

enum class CoverFormat : std::uint8_t { Text, Json, Dot };

// One line for each option (see base/option.hpp).
struct CoverView {
  bool tree = option::flag(tree, {"--tree", "", "The whole Karp-Miller tree, not only the labels of the cover"});
  bool classic = option::flag(
      classic, {"--classic", "", "The tree as first published: no branch ends because of another (may take long)"});
  CoverFormat format =
      option::choice(format, {"--format", "FORMAT", "text, json, or dot (with --tree)"},
                     {{"text", CoverFormat::Text}, {"json", CoverFormat::Json}, {"dot", CoverFormat::Dot}});
  bool statistics = option::flag(statistics, {"--stats", "", "Print statistics, one `key: value` line each"});
};

class CoverCommand : public Command {
 public:
  std::string name() const override { return "cover"; }
  std::string summary() const override {
    return "List configurations that cover all that any number of threads reaches";
  }
  std::string examples() const override;
  void declare(OptionTable& table) override;
  bool prints_json() const override { return view_.format == CoverFormat::Json; }
  ExitCode run(Console& console) override;

 private:
  InputArguments input_;
  RunArguments run_;
  CoverView view_;
};

}  // namespace cohort::cli
