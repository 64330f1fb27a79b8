// Looking for something: in text, in memory, in sorted arrays, and sorting them; and what kind of character one is.
#include "cohort_intrinsics.h"

unsigned long strnlen(const char *text, unsigned long most) {
  unsigned long length = 0;
  while (length < most && text[length] != 0) length++;
  return length;
}
unsigned long strspn(const char *text, const char *wanted) {
  unsigned long length = 0;
  for (; text[length] != 0; length++) {
    const char *other = wanted;
    while (*other != 0 && *other != text[length]) other++;
    if (*other == 0) return length;
  }
  return length;
}
unsigned long strcspn(const char *text, const char *unwanted) {
  unsigned long length = 0;
  for (; text[length] != 0; length++) {
    for (const char *other = unwanted; *other != 0; other++) {
      if (*other == text[length]) return length;
    }
  }
  return length;
}
char *strpbrk(const char *text, const char *wanted) {
  text += strcspn(text, wanted);
  return *text == 0 ? COHORT_NULL : (char *)text;
}
char *strstr(const char *text, const char *wanted) {
  for (;; text++) {
    unsigned long i = 0;
    while (wanted[i] != 0 && text[i] == wanted[i]) i++;
    if (wanted[i] == 0) return (char *)text;
    if (*text == 0) return COHORT_NULL;
  }
}
char *strtok_r(char *text, const char *separators, char **rest) {
  if (text == COHORT_NULL) text = *rest;
  text += strspn(text, separators);
  if (*text == 0) {
    *rest = text;
    return COHORT_NULL;
  }
  char *end = text + strcspn(text, separators);
  if (*end != 0) *end++ = 0;
  *rest = end;
  return text;
}
char *strtok(char *text, const char *separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}
void *memchr(const void *memory, int character, unsigned long size) {
  const unsigned char *bytes = memory;
  for (unsigned long i = 0; i < size; i++) {
    if (bytes[i] == (unsigned char)character) return (void *)(bytes + i);
  }
  return COHORT_NULL;
}
void *bsearch(const void *key, const void *array, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *)) {
  unsigned long low = 0;
  unsigned long high = count;
  while (low < high) {
    const unsigned long middle = (low + high) / 2;
    const char *here = (const char *)array + middle * size;
    const int order = compare(key, here);
    if (order == 0) return (void *)here;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return COHORT_NULL;
}

static void cohort_put_swapped(char *left, char *right, unsigned long size) {
  for (unsigned long i = 0; i < size; i++) {
    const char kept = left[i];
    left[i] = right[i];
    right[i] = kept;
  }
}
// By insertion, which leaves equal elements in their order, as glibc does where there is memory.
void qsort(void *array, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
  char *elements = array;
  for (unsigned long i = 1; i < count; i++) {
    for (unsigned long j = i; j > 0 && compare(elements + (j - 1) * size, elements + j * size) > 0; j--) {
      cohort_put_swapped(elements + (j - 1) * size, elements + j * size, size);
    }
  }
}
void qsort_r(void *array, unsigned long count, unsigned long size, int (*compare)(const void *, const void *, void *),
             void *argument) {
  char *elements = array;
  for (unsigned long i = 1; i < count; i++) {
    for (unsigned long j = i; j > 0 && compare(elements + (j - 1) * size, elements + j * size, argument) > 0; j--) {
      cohort_put_swapped(elements + (j - 1) * size, elements + j * size, size);
    }
  }
}
void *lfind(const void *key, const void *array, const unsigned long *count, unsigned long size,
            int (*compare)(const void *, const void *)) {
  const char *elements = array;
  for (unsigned long i = 0; i < *count; i++) {
    if (compare(key, elements + i * size) == 0) return (void *)(elements + i * size);
  }
  return COHORT_NULL;
}
void *memcpy(void *to, const void *from, unsigned long size);
void *lsearch(const void *key, void *array, unsigned long *count, unsigned long size,
              int (*compare)(const void *, const void *)) {
  void *found = lfind(key, array, count, size, compare);
  if (found != COHORT_NULL) return found;
  found = (char *)array + *count * size;
  memcpy(found, key, size);
  ++*count;
  return found;
}

// Of the C locale, with the bits that glibc's header looks at.
enum {
  COHORT_IS_UPPER = 0x100, COHORT_IS_LOWER = 0x200, COHORT_IS_ALPHA = 0x400, COHORT_IS_DIGIT = 0x800, COHORT_IS_XDIGIT = 0x1000,
  COHORT_IS_SPACE = 0x2000, COHORT_IS_PRINT = 0x4000, COHORT_IS_GRAPH = 0x8000, COHORT_IS_BLANK = 1, COHORT_IS_CNTRL = 2, COHORT_IS_PUNCT = 4,
  COHORT_IS_ALNUM = 8, COHORT_IS_SEEN = COHORT_IS_PRINT | COHORT_IS_GRAPH, COHORT_IS_LETTER = COHORT_IS_SEEN | COHORT_IS_ALPHA | COHORT_IS_ALNUM,
  COHORT_BELOW = 128  // indices go down to -128
};
static const unsigned short cohort_kinds[384] = {
    [128 ... 159] = COHORT_IS_CNTRL,
    [128 + '\t'] = COHORT_IS_CNTRL | COHORT_IS_SPACE | COHORT_IS_BLANK,
    [128 + '\n'... 128 + '\r'] = COHORT_IS_CNTRL | COHORT_IS_SPACE,
    [128 + ' '] = COHORT_IS_SPACE | COHORT_IS_PRINT | COHORT_IS_BLANK,
    [128 + '!'... 128 + '~'] = COHORT_IS_SEEN | COHORT_IS_PUNCT,
    [128 + '0'... 128 + '9'] = COHORT_IS_SEEN | COHORT_IS_DIGIT | COHORT_IS_XDIGIT | COHORT_IS_ALNUM,
    [128 + 'A'... 128 + 'Z'] = COHORT_IS_LETTER | COHORT_IS_UPPER,
    [128 + 'A'... 128 + 'F'] = COHORT_IS_LETTER | COHORT_IS_UPPER | COHORT_IS_XDIGIT,
    [128 + 'a'... 128 + 'z'] = COHORT_IS_LETTER | COHORT_IS_LOWER,
    [128 + 'a'... 128 + 'f'] = COHORT_IS_LETTER | COHORT_IS_LOWER | COHORT_IS_XDIGIT,
    [128 + 127] = COHORT_IS_CNTRL,
};
static const unsigned short *cohort_kind_table = cohort_kinds + COHORT_BELOW;
const unsigned short **__ctype_b_loc(void) { return &cohort_kind_table; }
int isupper(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_UPPER; }
int islower(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_LOWER; }
int isalpha(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_ALPHA; }
int isdigit(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_DIGIT; }
int isxdigit(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_XDIGIT; }
int isspace(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_SPACE; }
int isprint(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_PRINT; }
int isgraph(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_GRAPH; }
int isblank(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_BLANK; }
int iscntrl(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_CNTRL; }
int ispunct(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_PUNCT; }
int isalnum(int character) { return cohort_kinds[character + COHORT_BELOW] & COHORT_IS_ALNUM; }
int toupper(int character) { return character >= 'a' && character <= 'z' ? character - 'a' + 'A' : character; }
int tolower(int character) { return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character; }

// What the header's macros look into where they are optimised, from -128 on.
static const int cohort_lower[] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95,
    96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};
static const int cohort_upper[] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
    96, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};
static const int *cohort_lower_table = cohort_lower + COHORT_BELOW;
static const int *cohort_upper_table = cohort_upper + COHORT_BELOW;
const int **__ctype_tolower_loc(void) { return &cohort_lower_table; }
const int **__ctype_toupper_loc(void) { return &cohort_upper_table; }
