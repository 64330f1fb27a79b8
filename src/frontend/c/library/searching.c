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
