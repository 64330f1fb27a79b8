// Runs Clang over one file.  Clang's warnings are of no interest here; its first error becomes an InputError.
#pragma once

#include <memory>

#include <clang/Frontend/ASTUnit.h>

#include "frontend/c/parse/parse.hpp"

namespace cohort::frontend::c::parse {

std::unique_ptr<clang::ASTUnit> run_clang(const Input& input, const Options& options);

}  // namespace cohort::frontend::c::parse
