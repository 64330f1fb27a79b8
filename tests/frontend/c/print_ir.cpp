// Prints the intermediate form of C files, for people who work on the C front end.
// Usage: cohort_c_ir [-DNAME[=VALUE]] [-IFOLDER] [-include HEADER] [-m32] [--linux] [--all] [--stage NAME] FILE...
//   --all: the models of library functions, too
//   --stage: the flat form instead, as it is after this stage of lowering (docs/c.md lists them)
#include <cstdio>
#include <string>

#include "base/contract.hpp"
#include "frontend/c/c.hpp"
#include "frontend/c/lower/print.hpp"
#include "frontend/c/lower/stages.hpp"

namespace {

using namespace cohort;

struct Request {
  frontend::c::Options options;
  std::vector<SourceFilePtr> files;
  bool all = false;
  std::string stage;
};

Request parse_arguments(int argc, char** argv) {
  Request request;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg.starts_with("-D")) {
      request.options.defines.push_back(arg.substr(2));
    } else if (arg == "-I" && i + 1 < argc) {
      request.options.include_dirs.emplace_back(argv[++i]);
    } else if (arg.starts_with("-I")) {
      request.options.include_dirs.push_back(arg.substr(2));
    } else if (arg == "-include" && i + 1 < argc) {
      request.options.includes.emplace_back(argv[++i]);
    } else if (arg == "-m32") {
      request.options.pointer_width = 32;
    } else if (arg == "--linux") {
      request.options.linux_names = true;
    } else if (arg == "--stage" && i + 1 < argc) {
      request.stage = argv[++i];
    } else if (arg == "--all") {
      request.all = true;
    } else {
      request.files.push_back(read_source_file(arg));
    }
  }
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Request request = parse_arguments(argc, argv);
    frontend::c::ir::Unit unit = frontend::c::read(request.files, request.options);
    if (!request.stage.empty()) {
      frontend::c::lower::Pipeline pipeline(unit, {}, {});
      pipeline.run(request.stage);
      std::fputs(to_string(pipeline.flat).c_str(), stdout);
      return 0;
    }
    for (frontend::c::ir::Function& function : unit.functions) {
      if (function.is_library && !request.all) function.has_body = false;
    }
    std::fputs(to_string(unit).c_str(), stdout);
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.render().c_str());
    return 2;
  } catch (const InternalError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 6;
  }
}
