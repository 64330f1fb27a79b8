// What needs Clang is a module that is loaded with the first C program: Clang's libraries take 0.02 s and 60 MB.
#include "base/module.hpp"
#include "frontend/c/parse/parse.hpp"

namespace cohort::frontend::c::parse {

namespace {

using Entry = void (*)(const std::vector<Input>& inputs, const Options& options, ir::Unit& unit);

Entry load_module() {
  return reinterpret_cast<Entry>(module_function("cohort_clang.so", "cohort_parse_c", "the parser for C"));
}

}  // namespace

ir::Unit parse(const std::vector<Input>& inputs, const Options& options) {
  static const Entry entry = load_module();
  ir::Unit unit;
  entry(inputs, options, unit);
  return unit;
}

}  // namespace cohort::frontend::c::parse
