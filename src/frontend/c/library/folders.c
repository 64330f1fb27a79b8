// Folders: any entries, with short names, and the name of the current folder.
#include "cohort_intrinsics.h"
#include "types.h"

void cohort_any_text(char *to, int may_be_empty);
int *__errno_location(void);
void *malloc(unsigned long size);
void free(void *object);

enum { COHORT_FOLDERS = 2 };
// As in <dirent.h>.
struct dirent {
  unsigned long d_ino;
  long d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
static _Bool cohort_folder_is_open[COHORT_FOLDERS];
static struct dirent cohort_entries[COHORT_FOLDERS];
static int cohort_folder(const void *folder) {
  int i = 0;
  while (i < COHORT_FOLDERS - 1 && folder != &cohort_folder_is_open[i]) i++;
  if (folder != &cohort_folder_is_open[i]) __cohort_violation("fault", "a folder that is closed is used");
  if (!cohort_folder_is_open[i]) __cohort_violation("fault", "a folder that is closed is used");
  return i;
}
static void cohort_fail_somehow(void) {
  const int error = __cohort_nondet_int();
  __cohort_assume(error >= 1);
  __cohort_assume(error <= 133);
  *__errno_location() = error;
}
void *opendir(const char *name) {
  (void)name;
  if (__cohort_nondet_bool()) {
    cohort_fail_somehow();
    return COHORT_NULL;
  }
  int i = 0;
  __cohort_atomic_begin();
  while (i < COHORT_FOLDERS && cohort_folder_is_open[i]) i++;
  if (i == COHORT_FOLDERS) __cohort_unsupported("more than 2 folders at a time");
  cohort_folder_is_open[i] = 1;
  __cohort_atomic_end();
  return &cohort_folder_is_open[i];
}
struct dirent *readdir(void *folder) {
  const int i = cohort_folder(folder);
  if (__cohort_nondet_bool()) return COHORT_NULL;
  __cohort_note("the names in a folder are any texts of at most 7 characters");
  unsigned long inode;
  long offset;
  unsigned char kind;
  cohort_entries[i].d_ino = inode;
  cohort_entries[i].d_off = offset;
  cohort_entries[i].d_reclen = sizeof(struct dirent);
  cohort_entries[i].d_type = kind;
  cohort_any_text(cohort_entries[i].d_name, 0);
  return &cohort_entries[i];
}
int closedir(void *folder) {
  if (folder == COHORT_NULL) {
    *__errno_location() = 22;
    return -1;
  }
  cohort_folder_is_open[cohort_folder(folder)] = 0;
  return 0;
}
void rewinddir(void *folder) { cohort_folder(folder); }

char *getcwd(char *to, unsigned long size) {
  char *own = COHORT_NULL;
  if (to == COHORT_NULL) {
    size = size == 0 ? 8 : size;
    own = to = malloc(size);
    if (to == COHORT_NULL) return COHORT_NULL;
  } else if (size == 0) {
    *__errno_location() = 22;
    return COHORT_NULL;
  }
  if (__cohort_nondet_bool()) {
    if (own != COHORT_NULL) free(own);
    cohort_fail_somehow();
    return COHORT_NULL;
  }
  if (size < 8) __cohort_unsupported("the name of the current folder in fewer than 8 bytes");
  __cohort_note("the name of the current folder is any text of at most 7 characters");
  cohort_any_text(to, 0);
  return to;
}
