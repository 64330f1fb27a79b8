// Promotions, conversions and arithmetic at the edges of types.
// case 1: safe
// case 2: safe
// case 3: safe
// case 4: safe
// case 5: safe
// case 6: safe
// case 7: safe
// case 8: safe
// case 9: safe
// case 10: safe
// case 11: safe
// case 12: safe
// case 13: safe
// case 14: safe
// case 15: safe
// case 16: safe
// case 17: unsafe
// case 18: unsafe
// case 19: unsafe
// case 20: unsafe
// case 21: unsafe --property overflow not native
// case 22: safe --property overflow
// case 23: unsafe --property overflow not native
// case 24: unsafe --property faults
// case 25: safe --property faults
// case 26: unsafe --property overflow not native
// case 27: safe
// case 28: safe
// case 29: unsafe
// case 30: safe
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int zero, one = 1, minus = -1;
unsigned uone = 1;
unsigned char byte = 200;
signed char small = -100;
char plain = (char)200;
short narrow = -1;
unsigned short wide = 65535;
unsigned long huge = ~0ul;
enum colour { RED, GREEN = 5, BLUE } colour = BLUE;
struct bits { unsigned a : 3; int b : 3; unsigned long : 0; unsigned long c : 40; _Bool d : 1; } bits;

int main(void) {
#if CASE == 1
  // Operands below int become int.
  assert(byte + byte == 400);
  assert((unsigned char)(byte + byte) == 144);
  assert(wide * wide == wide * wide && (unsigned)wide * wide == 4294836225u);
  assert(~byte == -201 && -byte == -200 && !byte == 0);
  assert((byte << 4) == 3200 && (small >> 1) == -50);
  unsigned char counter = 255;
  counter++;
  assert(counter == 0);
  counter--;
  assert(counter == 255);
  counter += 300;
  assert(counter == 43);
#elif CASE == 2
  // The usual arithmetic conversions.
  assert(minus > uone);
  assert(!(minus < uone));
  assert((long)minus < (long)uone);
  assert(minus < huge == 0);
  assert(narrow < wide);
  assert(narrow + uone == 0u);
  assert((unsigned)narrow == 4294967295u && (unsigned short)narrow == 65535);
  assert(uone - 2 > 0 && (int)(uone - 2) == -1);
  assert(minus * uone == UINT_MAX);
  assert((one ? minus : uone) > 0);
  assert(sizeof(one ? byte : narrow) == sizeof(int) && sizeof(one ? minus : 1l) == sizeof(long));
#elif CASE == 3
  // Signed and unsigned characters.
  assert(plain < 0 && plain == -56 && (unsigned char)plain == 200);
  assert(byte == 200 && small == -100);
  assert('\377' == -1 && '\x80' < 0);
  char text[] = "\xff";
  assert(text[0] == (char)255 && text[0] != 255);
  unsigned char *raw = (unsigned char *)text;
  assert(raw[0] == 255);
#elif CASE == 4
  // Narrowing keeps the low bits.
  assert((signed char)300 == 44 && (signed char)200 == -56 && (short)70000 == 4464);
  assert((int)4294967295u == -1 && (int)huge == -1 && (unsigned char)-1 == 255);
  long big = 0x123456789abcdef0;
  int low = big;
  short lower = big;
  signed char lowest = big;
  assert(low == (int)0x9abcdef0 && lower == (short)0xdef0 && lowest == (signed char)0xf0);
#elif CASE == 5
  // Truth values.
  bool truth = 256;
  assert(truth == 1);
  truth = 0.5;
  assert(truth == 1);
  truth = &one;
  assert(truth == 1);
  truth -= 2;
  assert(truth == 1);
  truth--;
  assert(truth == 0);
  truth--;
  assert(truth == 1);
  assert((bool)0x100 == 1 && (unsigned char)0x100 == 0);
  assert(!!minus == 1 && !zero == 1);
  assert((one < 2) + (one < 2) == 2);
#elif CASE == 6
  // Division rounds to zero, and the remainder has the sign of the dividend.
  int a = -7, b = 2;
  assert(a / b == -3 && a % b == -1 && 7 / -b == -3 && 7 % -b == 1 && -7 / -2 == 3 && -7 % -2 == -1);
  assert((unsigned)a / 2 == 2147483644u && (unsigned)a % 2 == 1);
  assert(a >> 1 == -4 && -1 >> 31 == -1 && (unsigned)a >> 31 == 1);
  long c = -9;
  assert(c / 4 == -2 && c % 4 == -1);
  signed char d = -128;
  assert(d / -1 == 128 && d % -1 == 0);
#elif CASE == 7
  // Unsigned arithmetic wraps.
  unsigned a = 0;
  a--;
  assert(a == UINT_MAX && a + 1 == 0 && a * a == 1);
  unsigned long c = huge;
  c += 2;
  assert(c == 1);
  unsigned short e = 65535;
  e += 2;
  assert(e == 1);
  size_t n = 0;
  assert(n - 1 > 1000);
  uint8_t f = 3;
  f -= 5;
  assert(f == 254 && (uint8_t)(f * 2) == 252);
  assert(1u - 2u == UINT_MAX && 0u - INT_MIN == (unsigned)INT_MIN);
#elif CASE == 8
  // Shifts take the type of the left side.
  assert(1u << 31 == 2147483648u && 1ul << 40 == 1099511627776ul);
  unsigned char c = 0x81;
  assert(c << 1 == 0x102);
  c <<= 1;
  assert(c == 2);
  c = 0x81;
  c >>= 7;
  assert(c == 1);
  int places = 33;
  assert(1l << places == 8589934592l);
  long wide_count = 3;
  assert(sizeof(one << wide_count) == sizeof(int) && one << wide_count == 8);
#elif CASE == 9
  // Enumerations are numbers.
  assert(RED == 0 && GREEN == 5 && BLUE == 6 && colour == 6 && sizeof(RED) == sizeof(int));
  colour = 77;
  assert(colour == 77);
  colour = RED;
  colour++;
  assert(colour == 1);
  enum { A = 10, B = A + 2, C, D = -1, E };
  assert(B == 12 && C == 13 && D == -1 && E == 0);
  switch (colour) {
    case GREEN: assert(0);
    default: break;
  }
#elif CASE == 10
  // Bit-fields have as many bits as they say.
  bits.a = 9;
  assert(bits.a == 1);
  bits.b = 7;
  assert(bits.b == -1);
  bits.b = 3;
  bits.b++;
  assert(bits.b == -4);
  bits.c = huge;
  assert(bits.c == 0xfffffffffful);
  bits.c++;
  assert(bits.c == 0);
  bits.d = 2;
  assert(bits.d == 1);
  assert((bits.a = 10) == 2);
  assert((bits.a += 7) == 1);
  assert(bits.a - 2 < 0);
  bits.a = 5;
  assert(-bits.a == -5);
  assert((bits.a ^= 6) == 3 && bits.b == -4 && bits.d == 1);
#elif CASE == 11
  // Constants have the first type that fits.
  assert(sizeof(2147483647) == 4 && sizeof(2147483648) == 8 && sizeof(0x80000000) == 4 && sizeof(1u) == 4 && sizeof(1ll) == 8);
  assert(0xffffffff > 0 && -2147483647 - 1 < 0 && 2147483648 > 0 && -2147483648 < 0);
  assert(sizeof('a') == 4 && 'ab' == ('a' << 8 | 'b') && 07 + 010 == 15 && '\0' == 0 && '\n' == 10);
  assert(1 - 0u + -2 == UINT_MAX);
#elif CASE == 12
  // Comparisons of mixed widths.
  int32_t a = -1;
  uint32_t b = 4294967295u;
  int64_t c = -1;
  uint64_t d = 4294967295u;
  assert(a == b && c != b && c != (int64_t)d && (int32_t)d == a && a != (int64_t)b);
  assert(sizeof a > -1 == 0);
  int8_t e = -1;
  uint8_t f = 255;
  assert(e != f && (uint8_t)e == f);
  uint16_t g = 65535;
  assert((int16_t)g == -1 && g + 1 == 65536);
#elif CASE == 13
  // Compound assignment converts the result, not the operand.
  int8_t a = 100;
  a += 100;
  assert(a == -56);
  a = -1;
  a >>= 1;
  assert(a == -1);
  uint8_t b = 1;
  b = -b;
  assert(b == 255);
  b ^= ~0;
  assert(b == 0);
  int c = 7;
  c /= 2u;
  assert(c == 3);
  c = -7;
  c /= 2u;
  assert(c == 2147483644);
  c = -7;
  c %= 3;
  assert(c == -1);
  short d = 10;
  d *= -4000;
  assert(d == 25536);
#elif CASE == 14
  // Pointers and numbers.
  int numbers[4];
  uintptr_t at = (uintptr_t)numbers;
  assert((int *)(at + 8) == &numbers[2]);
  assert((char *)&numbers[3] - (char *)&numbers[1] == 8 && &numbers[3] - &numbers[1] == 2 && &numbers[1] - &numbers[3] == -2);
  assert((intptr_t)(void *)7 == 7 && (void *)0 == NULL && !(void *)0);
  assert(((uintptr_t)&numbers[1] & 3) == 0);
  int *p = numbers;
  assert((long)(p + 1) - (long)p == 4 && p + 1 > p && &p[4] >= &p[3]);
#elif CASE == 15
  // Increments inside expressions.
  int i = 5, j;
  j = i++ + 1;
  assert(i == 6 && j == 6);
  j = ++i * 2;
  assert(i == 7 && j == 14);
  int a[3] = {1, 2, 3}, *p = a;
  assert(*p++ == 1 && *p == 2 && ++*p == 3 && *++p == 3 && (*p)-- == 3 && a[2] == 2);
  i = 0;
  a[i++] = 10;
  a[i] = i++ ? 1 : 2;
  assert(a[0] == 10 && i == 2);
  int k = 3;
  k = k-- - 1 > 1 ? 40 : 50;
  assert(k == 40);
#elif CASE == 16
  // Values of assignments.
  int a, b, c;
  a = b = c = 3;
  assert(a == 3 && b == 3);
  unsigned char d;
  a = d = 300;
  assert(a == 44);
  a = (d = 256) == 0;
  assert(a == 1);
  bool e;
  a = e = 77;
  assert(a == 1);
  assert((a = 4, a + 1) == 5 && (a += a -= 1) == 6);
#elif CASE == 17
  assert(minus < uone);
#elif CASE == 18
  assert(plain == 200);
#elif CASE == 19
  bits.b = 5;
  assert(bits.b == 5);
#elif CASE == 20
  unsigned n = 3;
  assert(n - 5 < 0);
#elif CASE == 21
  int a = INT_MAX;
  short s = (short)(a + one);
  assert(s == s);
#elif CASE == 22
  short s = SHRT_MAX;
  s++;
  s += 1;
  unsigned u = UINT_MAX;
  u++;
  signed char c = -128;
  c = -c;
  c--;
  int a = INT_MIN;
  a = (int)((unsigned)a - 1);
  assert(a == INT_MAX && c == 127 && s == SHRT_MIN + 1);
#elif CASE == 23
  unsigned short a = 65535, b = 65535;
  int product = a * b;
  return product == 0;
#elif CASE == 24
  int a = 32;
  return 1u >> a;
#elif CASE == 25
  int a = 31;
  long b = 63;
  unsigned char c = 1;
  return (1u >> a) + (1ul >> b) + (c << 24 >> 31) - 1;
#elif CASE == 26
  long a = LONG_MIN;
  int m = minus;
  return a / m == 0;
#elif CASE == 27
  // A conversion on the way into and out of a function.
  extern int after(unsigned char, short);
  extern unsigned char low(int);
  extern _Bool truth(int);
  assert(after(300, 70000) == 44 + 4464 && low(511) == 255 && truth(512) == 1);
#elif CASE == 28
  // Initialisers convert.
  unsigned char a[2] = {300, -1};
  struct { signed char c; _Bool t; unsigned f : 2; } s = {200, 4, 7};
  static short fixed = 70000;
  assert(a[0] == 44 && a[1] == 255 && s.c == -56 && s.t == 1 && s.f == 3 && fixed == 4464);
#elif CASE == 29
  int a = -1;
  assert(a < sizeof a);
#elif CASE == 30
  // Selections of the type generic.
  assert(_Generic(byte + 1, int: 1, default: 2) == 1 && _Generic((char)1, char: 1, int: 2) == 1 && _Generic(1ul, unsigned long: 3, default: 0) == 3);
  _Static_assert(sizeof(int) == 4, "as here");
  assert(_Alignof(long) == 8 && offsetof(struct { char c; long l; }, l) == 8);
#endif
  return 0;
}
int after(unsigned char a, short b) { return a + b; }
unsigned char low(int n) { return n; }
_Bool truth(int n) { return n; }
