// What main asks first: options of the command line, as POSIX has them, and the locale.
//
// Where --args gives the arguments, getopt reads them.  Otherwise they may be anything: each call gives one of the letters of
// the list with any argument as its value, an error, or the end.
#include "cohort_intrinsics.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

int strcmp(const char *left, const char *right);
char *strchr(const char *text, int character);

#if COHORT_KNOWN_ARGUMENTS
static int cohort_option_at;
int getopt(int count, char *const arguments[], const char *letters) {
  optarg = COHORT_NULL;
  if (optind >= count || arguments[optind] == COHORT_NULL) return -1;
  const char *word = arguments[optind];
  if (cohort_option_at == 0) {
    if (word[0] != '-' || word[1] == 0) {
      __cohort_note("getopt stops at the first argument that is no option");
      return -1;
    }
    if (word[1] == '-') {
      if (word[2] == 0) optind++;
      return -1;
    }
    cohort_option_at = 1;
  }
  const int letter = word[cohort_option_at++];
  const char *known = letter == ':' ? COHORT_NULL : strchr(letters, letter);
  const int is_last = word[cohort_option_at] == 0;
  if (known == COHORT_NULL || known[1] != ':') {
    if (is_last) {
      optind++;
      cohort_option_at = 0;
    }
    optopt = letter;
    return known == COHORT_NULL ? '?' : letter;
  }
  optarg = (char *)word + cohort_option_at;
  cohort_option_at = 0;
  optind++;
  if (!is_last) return letter;
  optarg = COHORT_NULL;
  if (optind >= count) {
    optopt = letter;
    return letters[0] == ':' ? ':' : '?';
  }
  optarg = arguments[optind++];
  return letter;
}
#else
int getopt(int count, char *const arguments[], const char *letters) {
  int letter = __cohort_nondet_int();
  optarg = COHORT_NULL;
  if (optind >= count || __cohort_nondet_bool()) return -1;
  if (__cohort_nondet_bool()) {
    optind++;
    return letters[0] == ':' && __cohort_nondet_bool() ? ':' : '?';
  }
  int i = 0;
  while (letters[i] != 0) {
    const int is_letter = letters[i] != ':';
    i++;
    if (!is_letter) continue;
    letter = letters[i - 1];
    if (__cohort_nondet_bool()) break;
  }
  if (letters[i] == ':') {
    if (optind + 1 >= count) {
      optind++;
      return letters[0] == ':' ? ':' : '?';
    }
    optind++;
    optarg = arguments[optind];
  }
  optind++;
  return letter;
}
#endif

char *setlocale(int category, const char *name) {
  static char locale[2] = "C";
  (void)category, (void)name;
  return locale;
}
