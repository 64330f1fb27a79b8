// memset, memcpy and memmove store what they store, through whatever pointers they are given.
// case 1: unsafe
// case 2: safe
// case 3: unsafe
// case 4: unsafe
// case 5: safe
// case 6: unsafe --property faults
// case 7: unsafe --property races
// case 8: safe
// case 9: safe
// case 10: unsafe --property faults
// case 11: safe
// case 12: unsafe
// case 13: safe
// case 14: safe
// case 15: unsafe --property faults
// case 16: safe
// case 17: safe
// case 18: safe --property faults
// case 19: safe
// case 20: unsafe --property faults
// case 21: safe
// case 22: safe
// case 23: safe
// case 24: unsafe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair { int a; int b; };
struct odd { char c; int n; short s; };

#if CASE == 1
int main(void) { int x = 2; void *p = &x; memset(p, 0, 4); assert(x == 2); }
#elif CASE == 2
int x = 7;
static void clear(void *p, int n) { memset(p, 0, n); }
int main(void) { clear(&x, sizeof x); assert(x == 0); }
#elif CASE == 3
int main(void) { int x = 1, y = 9; void *to = &x; const void *from = &y; memcpy(to, from, sizeof x); assert(x == 1); }
#elif CASE == 4
char text[8] = "abcdefg";
static void clear(void *p) { memset(p, 0, 8); }
int main(void) { clear(text); assert(text[3] == 'd'); }
#elif CASE == 5
struct pair one = {1, 2}, two;
static void copy(void *to, void *from, unsigned long n) { memcpy(to, from, n); }
int main(void) { copy(&two, &one, sizeof one); assert(two.a == 1 && two.b == 2); }
#elif CASE == 6
static void clear(void *p) { memset(p, 0, 12); }
int main(void) { struct pair p = {1, 2}; clear(&p); return p.a; }
#elif CASE == 7
int shared[4];
static void clear(void *p) { memset(p, 0, sizeof shared); }
void *work(void *p) { clear(shared); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); shared[2] = 1; pthread_join(t, 0); }
#elif CASE == 8
int main(void) { int a[5] = {1, 2, 3, 4, 5}; void *p = a; memmove((char *)p + 4, p, 16); assert(a[1] == 1 && a[4] == 4 && a[0] == 1); }
#elif CASE == 9
int main(void) { int a[5] = {1, 2, 3, 4, 5}; memmove(a, a + 1, 16); assert(a[0] == 2 && a[3] == 5 && a[4] == 5); }
#elif CASE == 10
int main(void) { void *p = 0; memset(p, 0, 4); }
#elif CASE == 11
int main(void) { struct odd x, y; memset(&x, 0, sizeof x); memset(&y, 0, sizeof y); x.n = y.n = 5; assert(memcmp(&x, &y, sizeof x) == 0); }
#elif CASE == 12
int main(void) { struct odd x, y; memset(&x, 0, sizeof x); memset(&y, 0, sizeof y); x.n = 4; y.n = 5; assert(memcmp(&x, &y, sizeof x) == 0); }
#elif CASE == 13
int main(void) { struct odd *x = malloc(sizeof *x), y = {1, 2, 3}; void *p = x; memcpy(p, &y, sizeof y); assert(x->c == 1 && x->n == 2 && x->s == 3); free(x); }
#elif CASE == 14
int main(void) { int x = 0; unsigned char bytes[4] = {1, 2, 3, 4}; memcpy(&x, bytes, 4); assert(x == 0x04030201); }
#elif CASE == 15
int main(void) { char *p = malloc(8); void *q = p; memset(q, 0, 9); free(p); }
#elif CASE == 16
int main(void) { int n = -1; void *p = &n; memset(p, 0xff, 4); assert(n == -1); memset(p, 1, 2); assert(n == (int)0xffff0101); }
#elif CASE == 17
struct flags { unsigned a : 3; unsigned b : 5; int c : 4; };
int main(void) { struct flags f; memset(&f, 0xff, sizeof f); assert(f.a == 7 && f.b == 31 && f.c == -1); memset(&f, 0, sizeof f); assert(f.a == 0 && f.c == 0); }
#elif CASE == 18
static void clear(void *p, unsigned long n) { memset(p, 0, n); }
int main(void) { int *p = malloc(4 * sizeof *p); clear(p, 16); int s = p[0] + p[3]; free(p); return s; }
#elif CASE == 19
int main(void) { int x = 3; int *p = &x, *q = 0; void *to = &q; memcpy(to, &p, sizeof p); *q = 8; assert(x == 8); }
#elif CASE == 20
int main(void) { int a[4], b[2] = {1, 2}; void *from = b; memcpy(a, from, sizeof a); return a[3]; }
#elif CASE == 21
// Of a size that is not known, over numbers that were never written: longer and shorter than the stores of the model.
int main(int argc, char **argv) { int n = argc > 3 ? 3 : 2; short *h = malloc(n * 2 * sizeof *h); memset(h, 1, n * 2 * sizeof *h); assert(h[0] == 257 && h[2 * n - 1] == 257); memset(h + 1, 0, 2 * (n - 1)); assert(h[0] == 257 && h[1] == 0 && h[n] == 257); }
#elif CASE == 22
int main(int argc, char **argv) { int n = argc > 3 ? 3 : 2; int *h = malloc(n * 2 * sizeof *h); memset(h, 1, n * 2 * sizeof *h); assert(h[0] == 0x1010101 && h[2 * n - 1] == 0x1010101); memset(h + 1, 0, 4 * (n - 1)); assert(h[0] == 0x1010101 && h[1] == 0 && h[n] == 0x1010101); }
#elif CASE == 23
int main(int argc, char **argv) { int n = argc > 3 ? 3 : 2; char *t = malloc(n + 3); memset(t, 'x', n + 3); assert(t[0] == 'x' && t[n + 2] == 'x'); memset(t + 1, 'y', n); assert(t[0] == 'x' && t[1] == 'y' && t[n] == 'y' && t[n + 1] == 'x'); }
#elif CASE == 24
int main(int argc, char **argv) { int n = argc > 3 ? 3 : 2; int numbers[n]; memset(numbers, 0, n * sizeof numbers[0] - 1); memset(numbers, 1, 2); assert(numbers[0] != 257); }
#endif
