// The program runs in a thread with a large stack: what walks through expressions and calls by recursion is limited by
// memory, not by the few megabytes that the system gives to the first thread.  The stack is address space until it is
// used.
#include <pthread.h>

#include <array>
#include <cstddef>

#include "cli/app.hpp"

namespace {

struct Start {
  int argc;
  char** argv;
  int exit_code = 0;
};

void* run(void* argument) {
  auto* start = static_cast<Start*>(argument);
  start->exit_code = cohort::cli::run(start->argc, start->argv);
  return nullptr;
}

bool run_in_thread(Start& start, std::size_t stack_bytes) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool created = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                       pthread_create(&thread, &attributes, run, &start) == 0;
  pthread_attr_destroy(&attributes);
  return created && pthread_join(thread, nullptr) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Start start{argc, argv};
  for (const std::size_t mebibytes : std::array<std::size_t, 3>{1024, 256, 64}) {
    if (run_in_thread(start, mebibytes << 20U)) return start.exit_code;
  }
  // Address space is scarce (ulimit -v).
  run(&start);
  return start.exit_code;
}
