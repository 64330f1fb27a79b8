// Dates: any that there are.
#include "cohort_intrinsics.h"

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

static int cohort_between(int least, int most) {
  const int value = __cohort_nondet_int();
  __cohort_assume(value >= least);
  __cohort_assume(value <= most);
  return value;
}
static void cohort_plain_date(struct tm *date) {
  date->tm_sec = cohort_between(0, 60);
  date->tm_min = cohort_between(0, 59);
  date->tm_hour = cohort_between(0, 23);
  date->tm_mday = cohort_between(1, 31);
  date->tm_mon = cohort_between(0, 11);
  date->tm_year = cohort_between(0, 8000);
  date->tm_wday = cohort_between(0, 6);
  date->tm_yday = cohort_between(0, 365);
  date->tm_isdst = cohort_between(0, 1);
  date->tm_gmtoff = 0;
  date->tm_zone = "UTC";
}
struct tm *localtime_r(const long *time, struct tm *date) {
  (void)time;
  cohort_plain_date(date);
  return date;
}
struct tm *gmtime_r(const long *time, struct tm *date) { return localtime_r(time, date); }
static struct tm cohort_date;
struct tm *localtime(const long *time) { return localtime_r(time, &cohort_date); }
struct tm *gmtime(const long *time) { return localtime_r(time, &cohort_date); }
long mktime(struct tm *date) {
  cohort_plain_date(date);
  return __cohort_nondet_long();
}
double difftime(long end, long start) { return (double)(end - start); }
// Any text that fits, or none if there is no room.
unsigned long strftime(char *to, unsigned long size, const char *format, const struct tm *date) {
  enum { most = 8 };
  (void)format, (void)date;
  if (size == 0 || __cohort_nondet_bool()) return 0;
  const unsigned long length = size > most ? most - 1 : size - 1;
  __cohort_note("strftime writes a text of 7 characters, or of one less than fits, or none");
  for (unsigned long i = 0; i < length; i++) {
    char any;
    __cohort_assume(any != 0);
    to[i] = any;
  }
  to[length] = 0;
  return length;
}
static char cohort_date_text[26];
char *asctime(const struct tm *date) {
  (void)date;
  for (int i = 0; i < 25; i++) {
    char any;
    cohort_date_text[i] = any;
  }
  return cohort_date_text;
}
char *ctime(const long *time) {
  (void)time;
  return asctime(COHORT_NULL);
}
