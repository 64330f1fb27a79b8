#include "cli/app.hpp"

int main(int argc, char** argv) {
  return cohort::cli::run(argc, argv);
}
