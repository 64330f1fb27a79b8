// Text and numbers: what main is given, text read as numbers, numbers written as text.
//
// A text that the program has is read character by character.  The arguments of a program that is not told its own have
// any text, so what they mean as a number is any number.
#include "cohort_intrinsics.h"
#include "types.h"

enum { COHORT_TEXT = 16, COHORT_ERANGE = 34 };

int strcmp(const char *left, const char *right);
char *strcpy(char *to, const char *from);
char *strchr(const char *text, int character);
unsigned long strlen(const char *text);

// The environment: a variable is not set, or is any text.
enum { COHORT_VARIABLES = 4, COHORT_VARIABLE = 8, COHORT_VARIABLE_NAME = 24 };
// Declared and not defined: any content.
extern char cohort_variable_texts[COHORT_VARIABLES][COHORT_VARIABLE];
// Copies: what the names are read from may change.  No variable has no name.
static char cohort_variable_names[COHORT_VARIABLES][COHORT_VARIABLE_NAME];
static _Bool cohort_is_set[COHORT_VARIABLES];
char *getenv(const char *name) {
  int i = 0;
  __cohort_note("a variable of the environment is not set, or is any text of at most 7 characters");
  __cohort_atomic_begin();
  if (name[0] == 0) {
    __cohort_atomic_end();
    return COHORT_NULL;
  }
  while (i < COHORT_VARIABLES && cohort_variable_names[i][0] != 0 && strcmp(cohort_variable_names[i], name) != 0) i++;
  if (i == COHORT_VARIABLES) __cohort_unsupported("more than 4 variables of the environment");
  if (cohort_variable_names[i][0] == 0) {
    for (int j = 0; name[j] != 0; j++) {
      if (j == COHORT_VARIABLE_NAME - 1) __cohort_unsupported("a variable of the environment with a name of more than 23 characters");
      cohort_variable_names[i][j] = name[j];
    }
    cohort_is_set[i] = __cohort_nondet_bool();
    cohort_variable_texts[i][COHORT_VARIABLE - 1] = 0;
  }
  __cohort_atomic_end();
  return cohort_is_set[i] ? cohort_variable_texts[i] : COHORT_NULL;
}
char *secure_getenv(const char *name) { return getenv(name); }
int *__errno_location(void);
// As getenv finds it from now on.
int setenv(const char *name, const char *value, int overwrite) {
  int i = 0;
  if (*name == 0 || strchr(name, '=') != COHORT_NULL) {
    *__errno_location() = COHORT_EINVAL;
    return -1;
  }
  if (getenv(name) != COHORT_NULL && !overwrite) return 0;
  if (strlen(value) >= COHORT_VARIABLE) __cohort_unsupported("a variable of the environment that is set to more than 7 characters");
  while (strcmp(cohort_variable_names[i], name) != 0) i++;
  strcpy(cohort_variable_texts[i], value);
  cohort_is_set[i] = 1;
  return 0;
}
int unsetenv(const char *name) {
  int i = 0;
  if (*name == 0 || strchr(name, '=') != COHORT_NULL) {
    *__errno_location() = COHORT_EINVAL;
    return -1;
  }
  if (getenv(name) == COHORT_NULL) return 0;
  while (strcmp(cohort_variable_names[i], name) != 0) i++;
  cohort_is_set[i] = 0;
  return 0;
}
static int cohort_is_variable(const char *text) {
  const unsigned long at = (unsigned long)text;
  const unsigned long first = (unsigned long)cohort_variable_texts;
  if (at < first) return 0;
  return at < first + sizeof cohort_variable_texts;
}

#if COHORT_KNOWN_ARGUMENTS
static char *cohort_arguments[] = COHORT_ARGUMENT_LIST;
int cohort_argument_count(void) { return (int)(sizeof cohort_arguments / sizeof *cohort_arguments) - 1; }
char **cohort_command_line(int count) {
  (void)count;
  return cohort_arguments;
}
int cohort_is_any_text(const char *text) { return cohort_is_variable(text); }
#else
enum { COHORT_ARGUMENTS = 8 };
// Declared and not defined: any content.
extern char cohort_texts[COHORT_ARGUMENTS][COHORT_TEXT];
static char *cohort_arguments[COHORT_ARGUMENTS + 1];
int cohort_is_command_line(char *const *arguments) {
  const unsigned long at = (unsigned long)arguments;
  const unsigned long first = (unsigned long)cohort_arguments;
  if (at < first) return 0;
  return at < first + sizeof cohort_arguments;
}
int cohort_argument_count(void) {
  const int count = __cohort_nondet_int();
  __cohort_note("the program is given any number of arguments (argc >= 1); --args says which");
  __cohort_assume(count >= 1);
  return count;
}
char **cohort_command_line(int count) {
  __cohort_note("the program is given at most 7 arguments (argv), each of at most 15 characters; --args says which");
  __cohort_assume(count <= COHORT_ARGUMENTS);
  for (int i = 0; i < COHORT_ARGUMENTS; i++) cohort_texts[i][COHORT_TEXT - 1] = 0;
  for (int i = 0; i < COHORT_ARGUMENTS; i++) cohort_arguments[i] = i < count ? cohort_texts[i] : COHORT_NULL;
  return cohort_arguments;
}
int cohort_is_any_text(const char *text) {
  const unsigned long at = (unsigned long)text;
  const unsigned long first = (unsigned long)cohort_texts;
  if (cohort_is_variable(text)) return 1;
  if (at < first) return 0;
  return at < first + sizeof cohort_texts;
}
#endif

// Reads a text as puts and printf do.
void cohort_read_text(const char *text) {
  while (*text != 0) text++;
}
void cohort_read_text_if_any(const char *text) {
  if (text != COHORT_NULL) cohort_read_text(text);
}
void cohort_read_text_up_to(const char *text, int most) {
  if (most < 0) {
    cohort_read_text(text);
    return;
  }
  for (int i = 0; i < most; i++) {
    if (text[i] == 0) return;
  }
}

static int cohort_is_space(int character) {
  if (character == ' ') return 1;
  if (character < '\t') return 0;
  return character <= '\r';
}
static int cohort_digit(int character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'z') return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z') return character - 'A' + 10;
  return 99;
}

// A number in text, as strtoul and strtol see it.
struct cohort_scan {
  const char *end;  // behind the number; where the text begins if there is none
  unsigned long magnitude;
  int negative;
  int overflow;
};
static void cohort_scan_number(struct cohort_scan *scan, const char *text, int base, int most) {
  const char *at = text;
  int left = most;
  int digits = 0;
  while (cohort_is_space(*at)) at++;
  scan->end = text;
  scan->magnitude = 0;
  scan->negative = 0;
  scan->overflow = 0;
  if (*at == '+' || *at == '-') {
    scan->negative = *at == '-';
    at++;
    left--;
  }
  if ((base == 0 || base == 16) && left > 2 && *at == '0' && (at[1] == 'x' || at[1] == 'X') && cohort_digit(at[2]) < 16) {
    at += 2;
    left -= 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  for (; left > 0; left--) {
    const int digit = cohort_digit(*at);
    if (digit >= base) break;
    if (scan->magnitude > (~0ul - (unsigned long)digit) / (unsigned long)base) scan->overflow = 1;
    scan->magnitude = scan->magnitude * (unsigned long)base + (unsigned long)digit;
    digits++;
    at++;
  }
  if (digits > 0) scan->end = at;
}

#define COHORT_LONG_MAX ((long)(~0ul >> 1))

static long cohort_signed(const struct cohort_scan *scan) {
  if (scan->overflow || scan->magnitude > (unsigned long)COHORT_LONG_MAX + (unsigned long)scan->negative) {
    *__errno_location() = COHORT_ERANGE;
    return scan->negative ? -COHORT_LONG_MAX - 1 : COHORT_LONG_MAX;
  }
  return scan->negative ? (long)(0ul - scan->magnitude) : (long)scan->magnitude;
}
static unsigned long cohort_unsigned(const struct cohort_scan *scan) {
  if (scan->overflow) {
    *__errno_location() = COHORT_ERANGE;
    return ~0ul;
  }
  return scan->negative ? 0ul - scan->magnitude : scan->magnitude;
}

static const char *cohort_any_end(const char *text) {
  int length = __cohort_nondet_int();
  __cohort_note("what the text of an argument of the program means as a number is any number");
  __cohort_assume(length >= 0);
  __cohort_assume(length < COHORT_TEXT);
  return text + length;
}
// A base that there is not reads nothing, and tells nobody where it ended.
static int cohort_is_base(int base) {
  if (base == 0) return 1;
  if (base >= 2 && base <= 36) return 1;
  *__errno_location() = COHORT_EINVAL;
  return 0;
}
long strtol(const char *text, char **end, int base) {
  struct cohort_scan scan;
  if (!cohort_is_base(base)) return 0;
  if (cohort_is_any_text(text)) {
    if (end != COHORT_NULL) *end = (char *)cohort_any_end(text);
    return __cohort_nondet_long();
  }
  cohort_scan_number(&scan, text, base, 0x7fffffff);
  if (end != COHORT_NULL) *end = (char *)scan.end;
  return cohort_signed(&scan);
}
unsigned long strtoul(const char *text, char **end, int base) {
  struct cohort_scan scan;
  if (!cohort_is_base(base)) return 0;
  if (cohort_is_any_text(text)) {
    if (end != COHORT_NULL) *end = (char *)cohort_any_end(text);
    return (unsigned long)__cohort_nondet_long();
  }
  cohort_scan_number(&scan, text, base, 0x7fffffff);
  if (end != COHORT_NULL) *end = (char *)scan.end;
  return cohort_unsigned(&scan);
}
#if __SIZEOF_LONG__ == 8
long long strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char *text, char **end, int base) { return strtoul(text, end, base); }
long long atoll(const char *text) { return strtol(text, COHORT_NULL, 10); }
#endif
#if __SIZEOF_LONG__ == 8
long strtoimax(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long strtoumax(const char *text, char **end, int base) { return strtoul(text, end, base); }
#endif
int atoi(const char *text) {
  if (cohort_is_any_text(text)) {
    __cohort_note("what the text of an argument of the program means as a number is any number");
    return __cohort_nondet_int();
  }
  return (int)strtol(text, COHORT_NULL, 10);
}
long atol(const char *text) { return strtol(text, COHORT_NULL, 10); }

// What sscanf is made of: each takes one directive of the format and says whether it was met.
int cohort_scan_space(const char **at) {
  while (cohort_is_space(**at)) (*at)++;
  return 1;
}
int cohort_scan_character(const char **at, int character) {
  if (**at != (char)character) return 0;
  (*at)++;
  return 1;
}
int cohort_scan_integer(const char **at, int base, int most, long *value) {
  struct cohort_scan scan;
  cohort_scan_space(at);
  cohort_scan_number(&scan, *at, base, most);
  if (scan.end == *at) return 0;
  *at = scan.end;
  *value = scan.negative ? (long)(0ul - scan.magnitude) : (long)scan.magnitude;
  return 1;
}
int cohort_scan_byte(const char **at, int most, char *to) {
  for (int i = 0; i < most; i++) {
    if (**at == 0) return 0;
    to[i] = **at;
    (*at)++;
  }
  return 1;
}
int cohort_scan_word(const char **at, int most, char *to) {
  int i = 0;
  cohort_scan_space(at);
  if (**at == 0) return 0;
  for (; i < most; i++) {
    if (**at == 0 || cohort_is_space(**at)) break;
    to[i] = **at;
    (*at)++;
  }
  to[i] = 0;
  return 1;
}
int cohort_scan_ended(const char *at) {
  cohort_scan_space(&at);
  return *at == 0;
}

// What sprintf and snprintf are made of: `at` characters have been written, or would have been, had there been room.
enum { COHORT_LEFT = 1, COHORT_ZEROS = 2, COHORT_PLUS = 4, COHORT_BLANK = 8, COHORT_PREFIX = 16, COHORT_CAPITALS = 32 };
unsigned long cohort_put(char *to, unsigned long size, unsigned long at, int character) {
  if (size > 0 && at < size - 1) to[at] = (char)character;
  return at + 1;
}
void cohort_put_end(char *to, unsigned long size, unsigned long at) {
  if (size > 0) to[at < size ? at : size - 1] = 0;
}
static unsigned long cohort_put_many(char *to, unsigned long size, unsigned long at, int character, int count) {
  for (; count > 0; count--) at = cohort_put(to, size, at, character);
  return at;
}
unsigned long cohort_put_number(char *to, unsigned long size, unsigned long at, unsigned long magnitude, int negative,
                                int base, int flags, int width, int precision) {
  char digits[24];
  int count = 0;
  int zeros = 0;
  int sign = 0;
  if (negative) sign = '-';
  if (!negative && (flags & COHORT_BLANK)) sign = ' ';
  if (!negative && (flags & COHORT_PLUS)) sign = '+';
  if (flags & COHORT_LEFT) width = width < 0 ? width : -width;
  const int prefix = (flags & COHORT_PREFIX) && base == 16 && magnitude != 0;
  for (unsigned long rest = magnitude; rest != 0; rest /= (unsigned long)base) {
    const int digit = (int)(rest % (unsigned long)base);
    digits[count] = (char)(digit < 10 ? '0' + digit : digit - 10 + (flags & COHORT_CAPITALS ? 'A' : 'a'));
    count++;
  }
  if (count == 0 && precision != 0) {
    digits[0] = '0';
    count = 1;
  }
  if (precision > count) zeros = precision - count;
  if ((flags & COHORT_PREFIX) && base == 8 && zeros == 0 && magnitude != 0) zeros = 1;
  int fill = (width < 0 ? -width : width) - count - zeros - (sign != 0) - 2 * prefix;
  if (width > 0 && (flags & COHORT_ZEROS) && precision < 0 && fill > 0) {
    zeros += fill;
    fill = 0;
  }
  if (width > 0) at = cohort_put_many(to, size, at, ' ', fill);
  if (sign != 0) at = cohort_put(to, size, at, sign);
  if (prefix) {
    at = cohort_put(to, size, at, '0');
    at = cohort_put(to, size, at, flags & COHORT_CAPITALS ? 'X' : 'x');
  }
  at = cohort_put_many(to, size, at, '0', zeros);
  while (count > 0) {
    count--;
    at = cohort_put(to, size, at, digits[count]);
  }
  if (width < 0) at = cohort_put_many(to, size, at, ' ', fill);
  return at;
}
unsigned long cohort_put_signed(char *to, unsigned long size, unsigned long at, long value, int flags, int width,
                                int precision) {
  const unsigned long magnitude = value < 0 ? 0ul - (unsigned long)value : (unsigned long)value;
  return cohort_put_number(to, size, at, magnitude, value < 0, 10, flags, width, precision);
}
unsigned long cohort_put_character(char *to, unsigned long size, unsigned long at, int character, int flags, int width) {
  if (flags & COHORT_LEFT) width = width < 0 ? width : -width;
  if (width > 0) at = cohort_put_many(to, size, at, ' ', width - 1);
  at = cohort_put(to, size, at, character);
  if (width < 0) at = cohort_put_many(to, size, at, ' ', -width - 1);
  return at;
}
unsigned long cohort_put_text(char *to, unsigned long size, unsigned long at, const char *text, int flags, int width,
                              int precision) {
  int length = 0;
  if (flags & COHORT_LEFT) width = width < 0 ? width : -width;
  while ((precision < 0 || length < precision) && text[length] != 0) length++;
  if (width > 0) at = cohort_put_many(to, size, at, ' ', width - length);
  for (int i = 0; i < length; i++) at = cohort_put(to, size, at, text[i]);
  if (width < 0) at = cohort_put_many(to, size, at, ' ', -width - length);
  return at;
}
// A number whose digits nobody knows, as zeros: one before the point, and those that the format says.
unsigned long cohort_put_any(char *to, unsigned long size, unsigned long at, int width, int precision) {
  int length = precision < 0 ? 8 : precision + 2;
  if (width < 0) width = -width;
  if (length < width) length = width;
  __cohort_note("a floating-point number or a pointer is written as zeros, one of them before the point");
  for (int i = 0; i < length; i++) at = cohort_put(to, size, at, '0');
  return at;
}
