// Files of the standard library.  What is in them is not known: a read gives any characters, the end or an error; what is
// written disappears.  A file is open, at its end, in error, or closed; to use a closed one is a fault.
#include "cohort_intrinsics.h"
#include "types.h"

int *__errno_location(void);

enum { COHORT_FILES = 16, COHORT_EOF = -1, COHORT_MOST_CHARACTERS = 8 };
enum { COHORT_NO_FILE, COHORT_GOOD, COHORT_AT_END, COHORT_IN_ERROR };
static char cohort_files[COHORT_FILES] = {COHORT_GOOD, COHORT_GOOD, COHORT_GOOD};
char *stdin = &cohort_files[0];
char *stdout = &cohort_files[1];
char *stderr = &cohort_files[2];

static int cohort_any_errno(void) {
  const int error = __cohort_nondet_int();
  __cohort_assume(error >= 1);
  __cohort_assume(error <= 133);
  *__errno_location() = error;
  return error;
}
static char *cohort_file(char *file) {
  if (*file == COHORT_NO_FILE) __cohort_violation("fault", "a file that is closed is used");
  return file;
}
static char *cohort_open_file(void) {
  if (__cohort_nondet_bool()) {
    cohort_any_errno();
    return COHORT_NULL;
  }
  __cohort_atomic_begin();
  int i = 3;
  while (i < COHORT_FILES && cohort_files[i] != COHORT_NO_FILE) i++;
  if (i == COHORT_FILES) __cohort_unsupported("more than 16 files at a time");
  cohort_files[i] = COHORT_GOOD;
  __cohort_atomic_end();
  return &cohort_files[i];
}
char *fopen(const char *name, const char *mode) {
  (void)name, (void)mode;
  return cohort_open_file();
}
char *fdopen(int descriptor, const char *mode) {
  (void)descriptor, (void)mode;
  return cohort_open_file();
}
char *popen(const char *command, const char *mode) {
  (void)command, (void)mode;
  return cohort_open_file();
}
char *tmpfile(void) { return cohort_open_file(); }
int fclose(char *file) {
  *cohort_file(file) = COHORT_NO_FILE;
  if (!__cohort_nondet_bool()) return 0;
  cohort_any_errno();
  return COHORT_EOF;
}
int pclose(char *file) {
  const int status = __cohort_nondet_int();
  fclose(file);
  return status;
}
// The file is closed, and then open again or gone.
char *freopen(const char *name, const char *mode, char *file) {
  (void)name, (void)mode;
  *cohort_file(file) = COHORT_GOOD;
  if (!__cohort_nondet_bool()) return file;
  *file = COHORT_NO_FILE;
  cohort_any_errno();
  return COHORT_NULL;
}
int feof(char *file) { return *cohort_file(file) == COHORT_AT_END; }
int ferror(char *file) { return *cohort_file(file) == COHORT_IN_ERROR; }
void clearerr(char *file) { *cohort_file(file) = COHORT_GOOD; }
void rewind(char *file) { *cohort_file(file) = COHORT_GOOD; }
int fseek(char *file, long offset, int from) {
  (void)offset, (void)from;
  cohort_file(file);
  if (__cohort_nondet_bool()) {
    cohort_any_errno();
    return -1;
  }
  *file = COHORT_GOOD;
  return 0;
}
int fseeko(char *file, long offset, int from) { return fseek(file, offset, from); }
long ftell(char *file) {
  const long at = __cohort_nondet_long();
  cohort_file(file);
  __cohort_assume(at >= -1);
  if (at == -1) cohort_any_errno();
  return at;
}
long ftello(char *file) { return ftell(file); }
// No more comes: the end, or an error.
static void cohort_no_more(char *file) {
  if (__cohort_nondet_bool()) {
    *file = COHORT_AT_END;
  } else {
    cohort_any_errno();
    *file = COHORT_IN_ERROR;
  }
}
int fgetc(char *file) {
  const int character = __cohort_nondet_int();
  __cohort_assume(character >= -1);
  __cohort_assume(character <= 255);
  cohort_file(file);
  if (character == COHORT_EOF) cohort_no_more(file);
  return character;
}
int getc(char *file) { return fgetc(file); }
int getchar(void) { return fgetc(&cohort_files[0]); }
int ungetc(int character, char *file) {
  cohort_file(file);
  __cohort_note("what comes after a character that was given back to its file is any character");
  return character;
}
// A line, or what there is room for: any characters but the end of a line and 0.
static unsigned long cohort_put_line(char *to, unsigned long size) {
  const long most = size < COHORT_MOST_CHARACTERS ? (long)size - 1 : COHORT_MOST_CHARACTERS - 1;
  const long length = __cohort_nondet_long();
  if ((long)size - 1 > most) {
    __cohort_note("lines of input have at most 7 characters");
#if COHORT_READS
    // A longer line ends in the last byte that there is room for, or goes wrong there.
    if (__cohort_nondet_bool()) {
      to[size - 1] = 0;
      __cohort_assume(0);
    }
#endif
  }
  __cohort_assume(length >= 1);
  __cohort_assume(length <= most);
  for (long i = 0; i < length; i++) {
    char any;
    to[i] = any;
  }
  to[length] = 0;
  return (unsigned long)length;
}
char *fgets(char *to, int size, char *file) {
  cohort_file(file);
  if (size <= 0) return COHORT_NULL;
  if (size == 1) {
    to[0] = 0;
    return to;
  }
  if (__cohort_nondet_bool()) {
    cohort_no_more(file);
    return COHORT_NULL;
  }
  cohort_put_line(to, (unsigned long)size);
  return to;
}
void cohort_plain_any(unsigned char *to, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) {
    unsigned char any;
    to[i] = any;
  }
}
unsigned long fread(void *to, unsigned long size, unsigned long count, char *file) {
  cohort_file(file);
  if (size == 0 || count == 0) return 0;
  const long all = (long)count;
  const int are_many = all > COHORT_MOST_CHARACTERS;
  long read = 0;
  if (are_many) __cohort_note("of more than 8 elements that are read from a file at a time it is none, one, all, or all but one");
  if (are_many && __cohort_nondet_bool()) {
    read = all - (__cohort_nondet_bool() ? 1 : 0);
  } else {
    while (read < (are_many ? 1 : all) && __cohort_nondet_bool()) read++;
  }
  cohort_plain_any(to, (unsigned long)read * size);
  if (read < all) cohort_no_more(file);
  return (unsigned long)read;
}
unsigned long fwrite(const void *from, unsigned long size, unsigned long count, char *file) {
  (void)from;
  cohort_file(file);
  if (size == 0 || !__cohort_nondet_bool()) return size == 0 ? 0 : count;
  cohort_any_errno();
  *file = COHORT_IN_ERROR;
  return 0;
}
int fileno(char *file) { return (int)(cohort_file(file) - cohort_files); }
// Output to a file that is closed or NULL.
static void cohort_use_file(void *file) {
#if COHORT_READS
  cohort_file(file);
#else
  (void)file;
#endif
}
int setvbuf(char *file, char *buffer, int mode, unsigned long size) {
  (void)buffer, (void)mode, (void)size;
  cohort_file(file);
  return 0;
}
int remove(const char *name) {
  (void)name;
  if (__cohort_nondet_bool()) return 0;
  cohort_any_errno();
  return -1;
}
int unlink(const char *name) { return remove(name); }
void setlinebuf(char *file) { cohort_file(file); }
void setbuffer(char *file, char *buffer, unsigned long size) {
  (void)buffer, (void)size;
  cohort_file(file);
}

// The lock that a thread may hold over several calls.
static _Bool cohort_file_is_locked[COHORT_FILES];
static int cohort_file_owner[COHORT_FILES];
static int cohort_file_depth[COHORT_FILES];
int ftrylockfile(char *file) {
  const long i = cohort_file(file) - cohort_files;
  const int me = __cohort_self();
  int fails = 0;
  __cohort_atomic_begin();
  if (!cohort_file_is_locked[i]) {
    cohort_file_is_locked[i] = 1;
    cohort_file_owner[i] = me;
    cohort_file_depth[i] = 1;
  } else if (cohort_file_owner[i] == me) {
    cohort_file_depth[i]++;
  } else {
    fails = 1;
  }
  __cohort_atomic_end();
  return fails;
}
void flockfile(char *file) {
  const long i = cohort_file(file) - cohort_files;
  const int me = __cohort_self();
  __cohort_note("output and input do not wait for a file that another thread has locked by flockfile");
  __cohort_atomic_begin_when((!cohort_file_is_locked[i]) | (cohort_file_owner[i] == me));
  cohort_file_depth[i] = cohort_file_is_locked[i] ? cohort_file_depth[i] + 1 : 1;
  cohort_file_is_locked[i] = 1;
  cohort_file_owner[i] = me;
  __cohort_atomic_end();
}
void funlockfile(char *file) {
  const long i = cohort_file(file) - cohort_files;
  const int me = __cohort_self();
  __cohort_atomic_begin();
  if (!cohort_file_is_locked[i] || cohort_file_owner[i] != me) {
    __cohort_violation("lock", "a file is unlocked by a thread that has not locked it");
  }
  cohort_file_depth[i]--;
  cohort_file_is_locked[i] = cohort_file_depth[i] > 0;
  __cohort_atomic_end();
}
int getc_unlocked(char *file) { return fgetc(file); }
int fgetc_unlocked(char *file) { return fgetc(file); }
int getchar_unlocked(void) { return getchar(); }
char *fgets_unlocked(char *to, int size, char *file) { return fgets(to, size, file); }
unsigned long fread_unlocked(void *to, unsigned long size, unsigned long count, char *file) {
  return fread(to, size, count, file);
}
unsigned long fwrite_unlocked(const void *from, unsigned long size, unsigned long count, char *file) {
  return fwrite(from, size, count, file);
}
int feof_unlocked(char *file) { return feof(file); }
int ferror_unlocked(char *file) { return ferror(file); }
int fileno_unlocked(char *file) { return fileno(file); }
