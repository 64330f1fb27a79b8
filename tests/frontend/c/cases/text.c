// Calls that know their answer: numbers in text, and text by formats.
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
// case 11: unsafe
// case 12: unsafe
// case 13: unsafe --property faults
// case 14: unsafe --property faults
// case 15: unsafe --property races
// case 16: safe --property faults
// case 17: unsafe --property faults
// case 18: unsafe --property faults
// case 19: safe
// case 20: safe
// case 21: unsafe not native
// case 22: safe not native
// case 23: unsafe not native
// case 24: unsafe not native
// case 25: safe not native
// case 26: safe --args "12 file"
// case 27: unsafe --args "12 file"
// case 28: safe --args ""
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char buffer[16];

#if CASE == 1
int main(void) { assert(atoi("2") == 2 && atoi("  -17x") == -17 && atoi("") == 0 && atoi("+3") == 3); }
#elif CASE == 2
int main(void) { char *end; assert(strtol("42 rest", &end, 10) == 42 && *end == ' ' && strtol("0x1f", 0, 0) == 31 && strtol("077", 0, 0) == 63); }
#elif CASE == 3
int main(void) { char *end, *t = "none"; assert(strtol(t, &end, 10) == 0 && end == t && strtoul("ff", 0, 16) == 255); }
#elif CASE == 4
int main(void) { errno = 0; assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE); errno = 0; assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0); }
#elif CASE == 5
int main(void) { int a = 0, b = 0; assert(sscanf("12 -7", "%d %d", &a, &b) == 2 && a == 12 && b == -7); }
#elif CASE == 6
int main(void) { int a = 5, b = 6; assert(sscanf("3,x", "%d,%d", &a, &b) == 1 && a == 3 && b == 6); assert(sscanf("", "%d", &a) == -1 && a == 3); assert(sscanf("q", "%d", &a) == 0); }
#elif CASE == 7
int main(void) { char w[8], c; unsigned x; assert(sscanf("word 1f q", "%s %x %c", w, &x, &c) == 3 && w[0] == 'w' && w[4] == 0 && x == 31 && c == 'q'); }
#elif CASE == 8
int main(void) { int n = sprintf(buffer, "%d:%s", -12, "ab"); assert(n == 6 && strcmp(buffer, "-12:ab") == 0); }
#elif CASE == 9
int main(void) { assert(snprintf(buffer, 4, "%d", 123456) == 6 && strcmp(buffer, "123") == 0 && snprintf(0, 0, "%u%%", 7u) == 2); }
#elif CASE == 10
int main(void) { snprintf(buffer, sizeof buffer, "%04x|%-3d|%+d|%c", 0xabu, 5, 6, 'z'); assert(strcmp(buffer, "00ab|5  |+6|z") == 0); }
#elif CASE == 11
int main(void) { assert(atoi("2") == 3); }
#elif CASE == 12
int main(void) { snprintf(buffer, sizeof buffer, "%d", 7); assert(buffer[0] != '7'); }
#elif CASE == 13
int main(void) { char *p = 0; printf("%s\n", p); }
#elif CASE == 14
int main(void) { char raw[3] = {'a', 'b', 'c'}; puts(raw); }
#elif CASE == 15
void *work(void *p) { printf("%d %s\n", 1, buffer); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); buffer[0] = 'x'; pthread_join(t, 0); }
#elif CASE == 16
int main(void) { char raw[3] = {'a', 'b', 'c'}; printf("%.3s %.*s\n", raw, 2, raw); puts("text"); }
#elif CASE == 17
int main(void) { char small[4]; sprintf(small, "%d", 12345); }
#elif CASE == 18
int main(void) { char *p = malloc(2); p[0] = 'a'; p[1] = 0; free(p); fputs(p, stdout); }
#elif CASE == 19
static int number(const char *text) { return atoi(text) * 2; }
int main(void) { char copy[4]; strcpy(copy, "21"); assert(number(copy) == 42 && number("8") == 16); }
#elif CASE == 20
int main(void) { const char *words[] = {"1", "22", "333"}; int sum = 0; for (int i = 0; i < 3; i++) sum += atoi(words[i]) + strlen(words[i]); assert(sum == 362); }
#elif CASE == 21
int main(int argc, char **argv) { assert(argc < 20); }
#elif CASE == 22
int main(int argc, char **argv) { assert(argc >= 1 && argv[0] != argv[1] && argv[argc] == 0); }
#elif CASE == 23
int main(int argc, char **argv) { if (argc > 2) { argv[1][0] = 'a'; argv[2][0] = 'b'; assert(argv[1][0] != 'a'); } }
#elif CASE == 24
int main(int argc, char **argv) { if (argc > 1) assert(atoi(argv[1]) != 7); }
#elif CASE == 25
int main(int argc, char **argv) { if (argc > 2) { argv[1][0] = 'a'; argv[2][0] = 'b'; assert(argv[1][0] == 'a'); } }
#elif CASE == 26
int main(int argc, char **argv) { int n = atoi(argv[1]); assert(argc == 3 && n == 12 && strcmp(argv[2], "file") == 0 && argv[3] == 0); }
#elif CASE == 27
int main(int argc, char **argv) { assert(argc == 2 || atoi(argv[1]) == 11); }
#elif CASE == 28
int main(int argc, char **argv) { assert(argc == 1 && argv[1] == 0); }
#endif
