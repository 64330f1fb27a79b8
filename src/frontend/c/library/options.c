// What main asks first: options of the command line, as POSIX and GNU have them, and the locale.
//
// Options in words that the program knows (where --args gives the arguments, and in arrays of its own) are what they are; words
// that are no options are not moved behind the others.  Those of main may be anything where nobody has given them: each call
// finds one of the options with any argument as its value, an error, or the end.
#include "cohort_intrinsics.h"

char *optarg;
int optind = 1;
int opterr = 1;
int optopt;

// As in <getopt.h>.
struct cohort_option {
  const char *name;
  int has_value;
  int *flag;
  int value;
};
enum { COHORT_NO_VALUE, COHORT_VALUE, COHORT_OPTIONAL_VALUE };

char *strchr(const char *text, int character);
unsigned long strcspn(const char *text, const char *unwanted);
unsigned long strlen(const char *text);
int strncmp(const char *left, const char *right, unsigned long size);
int cohort_is_command_line(char *const *arguments);

static int cohort_option_at;  // where the next letter stands in the word, 0 before the first
// What the letters begin with may say how other words are taken and what is returned where a value is missing.
static const char *cohort_letters(const char *letters) {
  return *letters == '+' || *letters == '-' ? letters + 1 : letters;
}
static int cohort_missing_value(const char *letters, int option) {
  optopt = option;
  return *cohort_letters(letters) == ':' ? ':' : '?';
}
static int cohort_has_value(const char *known) {
  if (known[1] != ':') return COHORT_NO_VALUE;
  return known[2] == ':' ? COHORT_OPTIONAL_VALUE : COHORT_VALUE;
}
static int cohort_take_long(const struct cohort_option *option) {
  if (option->flag == COHORT_NULL) return option->value;
  *option->flag = option->value;
  return 0;
}

static int cohort_short_option(int count, char *const arguments[], const char *letters) {
  const char *word = arguments[optind];
  const int letter = word[cohort_option_at++];
  const char *known = letter == ':' || letter == ';' ? COHORT_NULL : strchr(cohort_letters(letters), letter);
  const int has_value = known == COHORT_NULL ? COHORT_NO_VALUE : cohort_has_value(known);
  const int is_last = word[cohort_option_at] == 0;
  if (has_value == COHORT_NO_VALUE) {
    if (is_last) {
      optind++;
      cohort_option_at = 0;
    }
    if (known == COHORT_NULL) optopt = letter;
    return known == COHORT_NULL ? '?' : letter;
  }
  if (!is_last) optarg = (char *)word + cohort_option_at;
  cohort_option_at = 0;
  optind++;
  if (!is_last || has_value == COHORT_OPTIONAL_VALUE) return letter;
  if (optind >= count) return cohort_missing_value(letters, letter);
  optarg = arguments[optind++];
  return letter;
}
// The whole name, or so much of it that it can be no other.
static int cohort_find_long(const char *name, unsigned long length, const struct cohort_option *options) {
  int found = -1;
  for (int i = 0; options[i].name != COHORT_NULL; i++) {
    if (strncmp(options[i].name, name, length) != 0) continue;
    if (options[i].name[length] == 0) return i;
    if (found >= 0) __cohort_unsupported("a short name for several long options");
    found = i;
  }
  return found;
}
static int cohort_long_option(int count, char *const arguments[], const char *letters, const char *name,
                              const struct cohort_option *options, int *index) {
  const unsigned long length = strcspn(name, "=");
  const int i = cohort_find_long(name, length, options);
  optind++;
  if (i < 0) {
    optopt = 0;
    return '?';
  }
  if (name[length] == '=') {
    if (options[i].has_value == COHORT_NO_VALUE) {
      optopt = options[i].value;
      return '?';
    }
    optarg = (char *)name + length + 1;
  } else if (options[i].has_value == COHORT_VALUE) {
    if (optind >= count) return cohort_missing_value(letters, options[i].value);
    optarg = arguments[optind++];
  }
  if (index != COHORT_NULL) *index = i;
  return cohort_take_long(&options[i]);
}
static int cohort_known_option(int count, char *const arguments[], const char *letters, const struct cohort_option *options,
                               int *index) {
  optarg = COHORT_NULL;
  if (optind == 0) {
    optind = 1;
    cohort_option_at = 0;
  }
  if (optind >= count || arguments[optind] == COHORT_NULL) return -1;
  const char *word = arguments[optind];
  if (cohort_option_at == 0) {
    if (word[0] != '-' || word[1] == 0) {
      if (*letters == '-') __cohort_unsupported("getopt that takes other words for options");
      __cohort_note("getopt stops at the first argument that is no option");
      return -1;
    }
    if (word[1] == '-' && word[2] == 0) {
      optind++;
      return -1;
    }
    if (word[1] == '-' && options != COHORT_NULL) {
      return cohort_long_option(count, arguments, letters, word + 2, options, index);
    }
    cohort_option_at = 1;
  }
  return cohort_short_option(count, arguments, letters);
}

#if !COHORT_KNOWN_ARGUMENTS
// An option is a word of its own; its value is the rest of that word or the next one.
static void cohort_any_value(int count, char *const arguments[], int has_value) {
  char *word = arguments[optind];
  optind++;
  if (has_value == COHORT_NO_VALUE) return;
  if (has_value == COHORT_OPTIONAL_VALUE && __cohort_nondet_bool()) return;
  if (has_value == COHORT_VALUE && optind < count && __cohort_nondet_bool()) {
    optarg = arguments[optind];
    optind++;
    return;
  }
  optarg = word + 2;
}
static int cohort_any_option(int count, char *const arguments[], const char *letters, const struct cohort_option *options,
                             int *index) {
  const char *known = cohort_letters(letters);
  const int tells_missing = *known == ':';
  optarg = COHORT_NULL;
  __cohort_note("each option of main stands in a word of its own, with at most one value; --args says which there are");
  if (optind == 0) optind = 1;
  if (optind >= count || __cohort_nondet_bool()) return -1;
  if (__cohort_nondet_bool()) {
    optopt = __cohort_nondet_int();
    optind++;
    return tells_missing && __cohort_nondet_bool() ? ':' : '?';
  }
  for (int i = 0; options != COHORT_NULL && options[i].name != COHORT_NULL; i++) {
    if (!__cohort_nondet_bool()) continue;
    cohort_any_value(count, arguments, options[i].has_value);
    if (index != COHORT_NULL) *index = i;
    return cohort_take_long(&options[i]);
  }
  for (; *known != 0; known++) {
    if (*known == ':') continue;
    if (!__cohort_nondet_bool()) continue;
    cohort_any_value(count, arguments, cohort_has_value(known));
    return *known;
  }
  return -1;
}
#endif

int getopt_long(int count, char *const arguments[], const char *letters, const struct cohort_option *options, int *index) {
#if !COHORT_KNOWN_ARGUMENTS
  if (cohort_is_command_line(arguments)) return cohort_any_option(count, arguments, letters, options, index);
#endif
  return cohort_known_option(count, arguments, letters, options, index);
}
int getopt(int count, char *const arguments[], const char *letters) {
  return getopt_long(count, arguments, letters, COHORT_NULL, COHORT_NULL);
}

char *setlocale(int category, const char *name) {
  static char locale[2] = "C";
  (void)category, (void)name;
  return locale;
}
