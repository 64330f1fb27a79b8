// Messages: err and its kind, which end the process, warn and its kind, which do not, and the texts of errors.
#include "cohort_intrinsics.h"
#include "types.h"

void exit(int status);
char *strerror(int error);
void cohort_any_text(char *to, int may_be_empty);

void err(int status, const char *format, ...) {
  (void)format;
  exit(status);
}
void errx(int status, const char *format, ...) {
  (void)format;
  exit(status);
}
void verr(int status, const char *format, __builtin_va_list arguments) {
  (void)format, (void)arguments;
  exit(status);
}
void verrx(int status, const char *format, __builtin_va_list arguments) {
  (void)format, (void)arguments;
  exit(status);
}
void error(int status, int number, const char *format, ...) {
  (void)number, (void)format;
  if (status != 0) exit(status);
}
void warn(const char *format, ...) { (void)format; }
void warnx(const char *format, ...) { (void)format; }
void vwarn(const char *format, __builtin_va_list arguments) { (void)format, (void)arguments; }
void vwarnx(const char *format, __builtin_va_list arguments) { (void)format, (void)arguments; }

// GNU's, which gives a text of its own, and that of POSIX, which fills what it is given.
char *strerror_r(int error, char *to, unsigned long size) {
  (void)to, (void)size;
  return strerror(error);
}
int __xpg_strerror_r(int error, char *to, unsigned long size) {
  enum { text_room = 8, least_room = 50, last_error = 133 };
  const int is_known = error >= 0 && error <= last_error && error != 41 && error != 58;
  if (is_known) {
    if (size < text_room) return 34;
    if (size < least_room && __cohort_nondet_bool()) return 34;
  }
  __cohort_note("the text of an error is any text of at most 7 characters");
  if (size >= text_room) cohort_any_text(to, 0);
  return is_known ? 0 : 22;
}
char *strsignal(int number) { return strerror(number); }
