// What the operators and statements of C mean, asserted: gcc's binary runs through, and Cohort finds the program safe.
// With -DEND=0 the last assertion fails, which shows that both get there.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#ifndef END
#define END 1
#endif

struct point { int x, y; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 9; };
struct mixed { char c; short s[3]; struct point p[2]; long l; };

static int calls;
static int count(void) { static int next = 5; calls++; return next++; }
static struct point make(int x, int y) { struct point result = {x, y}; return result; }
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int apply(int (*function)(int, int), int a, int b) { return function(a, b); }

static int choose(int value) {
  int result = 0;
  switch (value) {
    case 1: result += 1;  // goes on below
    case 2: result += 2; break;
    case 3: { result = 30; break; }
    case 7 ... 9: result = 79; break;
    default: result = -1;
  }
  return result;
}

static void conversions(void) {
  signed char c = 127; c++; assert(c == -128);
  unsigned char u = 250; u += 10; assert(u == 4);
  short s = -1; unsigned wide = s; assert(wide == 4294967295u);
  assert((unsigned char)~0 == 255 && -1 < 0 && !(-1 < 0u));
  long long large = 0x7fffffff; large++; assert(large == 2147483648LL && (int)(large + 5) == -2147483643);
  _Bool b = 5; assert(b == 1); b--; assert(b == 0); b--; assert(b == 1);
}

static void arithmetic(void) {
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7u % 4 == 3);
  int m = -16; assert(m >> 2 == -4 && (unsigned)m >> 28 == 15);
  uint64_t q = 1; q <<= 40; assert(q == 1099511627776ull && (int)q == 0 && q / 3 == 366503875925ull);
  uint64_t most = 0xFFFFFFFFFFFFFFFFull;
  assert(most > 5 && most / 10 == 1844674407370955161ull && most % 10 == 5 && (most >> 60) == 15);
  unsigned below = 3; below -= 5; assert(below == 4294967294u && below > 5);
  int x = 1; x ^= x << 3; x |= 0x100; x &= ~1; assert(x == 0x108); x = x % 7 * 3 - +2; assert(x == 13);
  volatile int v = 3; v *= v; assert(v == 9); v = -v; assert(v == -9);
}

static void control(void) {
  int i = 0, k = 0;
again:
  if (i < 4) { i++; goto again; }
  assert(i == 4);
  do { k += i--; } while (i > 0);
  assert(k == 10 && i == 0);
  for (;;) { if (++i == 3) continue; if (i > 5) break; }
  assert(i == 6);
  i = 3; k = (i += 2, i * 2); assert(k == 10 && i == 5);
  assert(choose(1) == 3 && choose(2) == 2 && choose(3) == 30 && choose(8) == 79 && choose(4) == -1);
  assert(count() == 5 && count() == 6 && calls == 2);
  if (0 && count()) {}
  if (1 || count()) {}
  assert(calls == 2);
  (void)(1 && count()); assert(calls == 3);
  int t = 5; t = t > 3 ? t < 5 ? 1 : t == 5 ? 2 : 3 : 4; assert(t == 2);
  int w = t ?: 9; assert(w == 2); t = 0; w = t ?: 9; assert(w == 9);
}

static void records(void) {
  struct bits f = {0};
  f.a = 13; f.b = 17; f.c = 1000; assert(f.a == 5 && f.b == -15 && f.c == 488);
  f.a += 4; assert(f.a == 1); assert(f.b++ == -15 && f.b == -14);
  struct point p = make(3, 4), *q = &p;
  q->x += p.y--; assert(p.x == 7 && q->y == 3);
  p = (struct point){.y = 9}; assert(p.x == 0 && p.y == 9);
  struct mixed g[2] = {{'a', {1, 2, 3}, {{1, 2}, {3, 4}}, -5}};
  g[1] = g[0]; g[1].p[1].x = 42; g[1].s[2]--;
  assert(g[0].p[1].x == 3 && g[1].p[1].x == 42 && g[1].s[2] == 2 && g[1].l == -5 && g[1].c == 97);
}

static void pointers(void) {
  int a[3][4];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = i * 10 + j;
  int *r = &a[1][0]; assert(r[2] == 12 && *(r + 3) == 13 && &a[2][1] - &a[1][0] == 5);
  int (*functions[2])(int, int) = {add, subtract};
  assert(apply(functions[1], 9, 4) == 5 && functions[0](2, 3) == 5);
  char text[] = "hey"; char *end = text; int n = 0;
  while (*end++) n++;
  assert(n == 3 && sizeof text == 4 && text[1] == 'e');
  const char *literal = "xyz"; assert(literal[2] == 'z');
  int sparse[5] = {[1] = 2, 3, [4] = 7}, sum = 0;
  for (int *at = sparse; at != sparse + 5; ++at) sum += *at;
  assert(sum == 12);
}

union word { uint32_t whole; struct { uint16_t low, high; } half; unsigned char bytes[4]; };
union value { int number; const char *text; long wide; };
static union word preset = {.half = {7, 9}};
struct tagged { int tag; union value v; };

static void bytes(void) {
  union word w; w.whole = 0x01020304; assert(w.bytes[0] == 4 && w.half.high == 0x0102);
  w.bytes[1] = 0xff; w.half.high--; assert(w.whole == 0x0101ff04);
  int at = 2; w.bytes[at]++; assert(w.whole == 0x0102ff04 && w.bytes[at + 1] == 1);
  assert(preset.whole == 0x90007); preset.half.low = 8; assert(preset.whole == 0x90008);
  struct tagged t = {1, {.number = 5}}, copy = t; assert(copy.v.number == 5);
  t.v.wide = -1; copy = t; assert(copy.v.number == -1 && copy.v.wide == -1);
  int n = 0x11223344; unsigned char *p = (unsigned char *)&n; assert(p[3] == 0x11); *p = 0; assert(n == 0x11223300);
  short *s = (short *)&n; assert(s[1] == 0x1122);
}

static void text(void) {
  char buffer[8]; strcpy(buffer, "ab"); strcat(buffer, "cd");
  assert(strlen(buffer) == 4 && strcmp(buffer, "abcd") == 0 && strcmp(buffer, "abce") < 0 && strchr(buffer, 'c') == buffer + 2);
  struct point from = {3, 4}, to; memcpy(&to, &from, sizeof to); assert(to.x == 3 && to.y == 4);
  assert(memcmp(&to, &from, sizeof to) == 0); memset(&to, 0, sizeof to); assert(to.x == 0 && to.y == 0);
}

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static void recursion(void) {
  volatile int four = 4;
  assert(factorial(5) == 120 && factorial(four) == 24 && is_even(6) && !is_even(5));
  assert(make(3, 4).y == 4 && __builtin_popcount(255) == 8 && __builtin_ctz(8) == 3);
  int sum; assert(!__builtin_add_overflow(1, 2, &sum) && sum == 3);
}

static int length(int n) {
  int a[n + 1];
  for (int i = 0; i <= n; i++) a[i] = i;
  return (int)(sizeof a / sizeof a[0]) + a[n];
}

// GCC's functions move pointers by bytes; a shift behind a short circuit is not executed; a hint changes nothing.
static void corners(void) {
  static int row[4]; int *p = row;
  assert(__sync_fetch_and_add(&p, sizeof(int)) == row && p == row + 1 && __atomic_add_fetch(&p, 8, 5) == row + 3);
  volatile int forty = 40; int n = forty;
  int large = n >= 32 || ((1u << n) & 1); assert(large && (n < 32 ? 1 << n : 7) == 7);
  __asm__ volatile("pause" ::: "memory");
  p == row; (void)(*p + n); assert(length(2) == 5);
}

int main(void) {
  conversions();
  arithmetic();
  control();
  records();
  pointers();
  bytes();
  text();
  recursion();
  corners();
  assert(END);
  return 0;
}
