#!/usr/bin/env python3
"""Random C programs whose threads take turns: what gcc's binary does, Cohort must find, and nothing else.

A program has phases of random statements on shared objects: numbers of every width, structs with bit-fields, a union, arrays of structs, text,
memory of odd sizes, lists, pointers to data and to functions, recursion, jumps, conversions, library calls.  Each phase belongs to main or
to one of the threads, and a way to wait that is drawn for the program (semaphores, condition variables, barriers, locks that are polled,
atomic flags, pipes, the creation and the end of threads, C11's mutexes and conditions) makes them take turns.  So there is one outcome,
and everything is decided by one native run under gcc's sanitizers (native_batch.py):

  - the outcome of the binary is the only one: it is SAFE to assert it, and UNSAFE to assert that it is another;
  - there is no race, no deadlock, no misuse of locks (one of them is asked for);
  - `--property faults,overflow` is UNSAFE if and only if a sanitizer reports something.

In some programs one turn is not waited for.  Then a race that the thread sanitizer reports must make `--property races` UNSAFE, and every
outcome of a plain run must be one that Cohort finds.

usage: random_phases.py COHORT [--programs N] [--seed S] [--runs N] [--keep FOLDER]"""
import random
import sys

import campaign
from campaign import SAFE, UNSAFE

VARIANTS = [[], [], ["--no-por"], ["--no-simplify"], ["--interleave=statement"], ["--engine", "explicit"]]

NAMES = ("i0 i1 u0 u1 c0 b0 s0 h0 l0 w0 f0 e0 arr recs un text mem head ip rp ops count fact gcd mixed step sum make order key once made turn "
         "m c mc cc l z bar ends thread0 thread1 thread2 mine RED GREEN BLUE rec val node kind MAIN handles specific say told add twist").split()

OBJECTS = """
enum kind { RED, GREEN = 3, BLUE };
struct rec { int a; unsigned char b; short c; unsigned f : 3; int g : 4; struct { int x[2]; } in; };
union val { int whole; unsigned char bytes[4]; struct { short low, high; } half; };
struct node { struct node *next; int v; };
static int i0 = 5, i1 = -3, arr[4] = {1, 2, 3, 4}, *ip = &i0, told;
static unsigned u0 = 7, u1 = 4000000000u;
static signed char c0 = -100;
static unsigned char b0 = 200;
static short s0 = -1;
static unsigned short h0 = 65530;
static long l0 = 1l << 40;
static unsigned long w0 = ~0ul;
static _Bool f0;
static enum kind e0 = BLUE;
static struct rec recs[3] = {{1, 2, 3, 4, -5, {{6, 7}}}, {.c = -9, .in = {.x = {[1] = 8}}}}, *rp = recs;
static union val un = {0x01020304};
static char text[12] = "ab", *mem;
static struct node *head;
static _Thread_local int mine = 2;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) { made++; }
static int fact(int n, int *deep) { int own = n; (*deep)++; return n <= 1 ? 1 : own * fact(n - 1, deep); }
static unsigned gcd(unsigned n, unsigned k) { return k ? gcd(k, n % k) : n; }
static struct rec mixed(struct rec r, int n) { r.a ^= n; r.f += n; r.in.x[n & 1]--; return r; }
static int step(void) { static int calls; return ++calls; }
static int sum(int n, ...) { va_list list; int s = 0; va_start(list, n); while (n-- > 0) s += va_arg(list, int); va_end(list); return s; }
static unsigned add(unsigned n, unsigned k) { return n + k; }
static unsigned twist(unsigned n, unsigned k) { return n << 3 ^ k; }
static unsigned (*ops[2])(unsigned, unsigned) = {add, twist};
static int order(const void *n, const void *k) { int p = *(const int *)n, q = *(const int *)k; return (p > q) - (p < q); }
"""
HASH = """
  unsigned outcome = i0 + 3u * i1 + 5u * u0 + 7u * u1 + 11u * c0 + 13u * b0 + 17u * s0 + 19u * h0 + 23u * (unsigned)l0 + 29u * (unsigned)(w0 >> 7) + f0 + e0;
  for (int i = 0; i < 4; i++) outcome = outcome * 31 + arr[i];
  for (int i = 0; i < 3; i++) outcome = outcome * 31 + recs[i].a + recs[i].b + recs[i].c + recs[i].f + recs[i].g + recs[i].in.x[0] * 3 + recs[i].in.x[1];
  outcome = outcome * 31 + un.whole + made + told;
  for (int i = 0; i < 12 && text[i]; i++) outcome = outcome * 31 + text[i];
  for (int i = 0; i < 7; i++) outcome = outcome * 31 + (unsigned char)mem[i];
  for (struct node *n = head; n; n = n->next) outcome = outcome * 31 + n->v;
  outcome += *ip + (unsigned)(rp - recs) + ops[0](1, 2);
"""

SCALARS = {"i0": "int", "i1": "int", "u0": "unsigned", "u1": "unsigned", "c0": "signed char", "b0": "unsigned char", "s0": "short", "h0": "unsigned short",
           "l0": "long", "w0": "unsigned long", "f0": "_Bool", "e0": "enum kind", "(*ip)": "int", "rp->a": "int", "rp->b": "unsigned char", "rp->c": "short",
           "rp->f": "bits", "rp->g": "bits", "rp->in.x[1]": "int", "un.whole": "int", "un.bytes[1]": "unsigned char", "un.half.high": "short",
           "arr[u0 & 3]": "int", "recs[b0 % 3].a": "int", "recs[1].g": "bits", "mem[3]": "char", "mem[u1 % 7]": "char", "text[0]": "char", "mine": "int"}
CASTS = ["int", "unsigned", "signed char", "unsigned char", "short", "unsigned short", "long", "unsigned long", "_Bool"]
CONSTANTS = ["0", "1", "2", "-1", "3u", "7", "127", "128", "255", "-128", "32767", "65535", "100000", "2147483647", "0x80000000", "'a'", "1l << 33", "GREEN"]


class Phase:
    """Random statements; nothing of them is undefined but by chance."""

    def __init__(self, generator):
        self.random, self.labels = generator, 0

    def leaf(self):
        return self.random.choice([*SCALARS, *CONSTANTS[:6]]) if self.random.random() < 0.7 else f"({self.random.choice(CONSTANTS)})"

    def expression(self, depth=2):
        choose, nested = self.random.choice, lambda: self.expression(depth - 1)
        if depth == 0 or self.random.random() < 0.25:
            return self.leaf()
        kind = self.random.randrange(13)
        if kind < 4:
            return f"((unsigned){nested()} {choose(['+', '-', '*', '&', '|', '^'])} {nested()})"
        if kind == 4:
            return f"(({choose(CASTS)}){nested()})"
        if kind == 5:
            return f"({nested()} {choose(['<', '<=', '>', '>=', '==', '!='])} {nested()})"
        if kind == 6:
            return f"({nested()} {choose(['&&', '||'])} {nested()})"
        if kind == 7:
            return f"({nested()} ? {nested()} : {nested()})"
        if kind == 8:
            return f"((int)({nested()}) {choose(['/', '%'])} (((int)({nested()}) & 15) + 1))"
        if kind == 9:
            return f"((unsigned){nested()} {choose(['<<', '>>'])} ({nested()} & 7))"
        if kind == 10:
            return f"({choose(['~', '!', '-(unsigned)'])}{nested()})"
        if kind == 11:
            return f"((int)({nested()}) >> 3)"
        return f"({self.leaf()} {choose(['+', '-', '*'])} {choose(['1', '2', '-3'])})"  # may overflow

    def scalar(self):
        return self.random.choice(list(SCALARS))

    def assignment(self):
        to, choose = self.scalar(), self.random.choice
        kind = self.random.randrange(5)
        if kind < 3:
            return f"{to} = {self.expression()};"
        if kind == 3:
            return f"{to} {choose(['+=', '-=', '^=', '|=', '&='])} (unsigned){self.expression(1)};"
        return choose([f"{to}++;", f"--{to};", f"i0 = {to}++ & 7;", f"u1 = -(unsigned){to};"])

    def flow(self, depth):
        inner, condition, choose = self.statement(depth - 1), self.expression(1), self.random.choice
        self.labels += 1
        label = f"label{self.labels}_{self.random.randrange(10**6)}"
        return choose([
            f"if ({condition}) {{ {inner} }} else {{ {self.statement(depth - 1)} }}",
            f"for (int i = 0; i < 3; i++) {{ if (i == ({condition} & 3)) continue; {inner} if (i == 1 && {self.expression(1)}) break; }}",
            f"{{ int k = 3; do {{ if (--k == 1) continue; {inner} }} while (k > 0); }}",
            f"switch ({condition} & 3) {{ case 0: {inner} case 1: {self.assignment()} break; case 3: {self.assignment()} default: {self.assignment()} }}",
            f"{{ int k = 0; {label}: {inner} if (++k < 2) goto {label}; }}",
            f"if ({condition}) goto {label}; {inner} {label}:;",
            f"while (({condition}) && !f0) {{ f0 = 1; {inner} }}"])

    def memory(self):
        k, choose = self.random.randrange(4), self.random.choice
        return choose([
            "{ struct rec r = recs[0]; r.a++; recs[2] = r; }", f"recs[{k % 3}] = mixed(recs[1], {k});", "*rp = (struct rec){.a = i1, .f = 9, .g = 9};",
            f"rp = &recs[{k % 3}];", "rp = rp == recs ? rp + 1 : recs;", choose(["ip = &i0;", f"ip = &arr[{k}];", f"ip = &recs[{k % 3}].a;", "ip = rp->in.x;"]),
            f"memcpy(&un, &arr[{k}], 4);", "memcpy(mem, &u0, 4);", "memcpy(&i1, mem + 3, 4);", f"memset(&recs[1], {k}, sizeof recs[1]);",
            f"memset(mem, {k}, {k + 3});", "memmove(mem + 1, mem, 5);", "memcpy(&recs[0].in, &arr[1], 8);", "memcpy(arr + 1, recs[2].in.x, sizeof recs[2].in);",
            f"un = (union val){{.half = {{i0, {k}}}}};", f"{{ union val v = un; v.bytes[{k}]++; un.half.low = v.half.high; }}",
            "{ struct node *n = malloc(sizeof *n); n->v = i0; n->next = head; head = n; }", "if (head) { struct node *n = head; head = n->next; i1 = n->v; free(n); }",
            "for (struct node **n = &head; *n; n = &(*n)->next) (*n)->v ^= 5;", f"{{ int v[{k + 1}]; for (int i = 0; i <= {k}; i++) v[i] = i; arr[{k}] = v[{k}]; }}",
            f"{{ int *v = (int[]){{1, i0, {k}}}; arr[0] = v[1]; }}", f"{{ int n = {k} + 1; int v[n]; v[n - 1] = 4; arr[1] = v[n - 1] + sizeof v; }}",
            "{ char *n = malloc(3); n[2] = b0; mem[0] = n[2]; free(n); }", "{ int *n = calloc(2, sizeof *n); arr[3] = n[1]; n = realloc(n, 12); n[2] = n[0]; free(n); }",
            "{ struct rec (*all)[3] = &recs; (*all)[1].b = 9; }", "{ unsigned char *n = (unsigned char *)&i1; n[1] ^= n[0]; }",
            f"{{ int (*grid)[2] = (int (*)[2])arr; grid[1][{k & 1}] = grid[0][1]; }}", f"arr[{choose(['i0 & 3', 'u1 % 4', 'c0 & 3', 'i1'])}] = {k};"])

    def call(self):
        k, choose = self.random.randrange(5), self.random.choice
        return choose([
            f"i0 = fact({k}, &i1);", f"u0 = gcd(u1, {k + 3});", "u1 = ops[u0 & 1](u1, b0);", "ops[0] = ops[i0 & 1];", "i1 = step() + step();",
            f"i0 = sum({k % 3}, 1, i1 & 255, {k});", f"snprintf(text, 8, \"%d\", i0);", f"snprintf(text, {k + 1}, \"%x\", u1);", 'snprintf(text, 12, "%c%5u", 48 + (b0 & 7), h0);',
            'strcpy(text, "xyz");', 'strncat(text, "q", 1);', "i1 = atoi(text);", f"l0 = strtol(text, 0, {choose([0, 8, 10, 16])});", "i0 = strlen(text);",
            'i0 = strcmp(text, "m") > 0;', "text[0] = toupper(text[0] & 127);", "i1 = memcmp(arr, mem, 4) < 0;", "qsort(arr, 4, sizeof *arr, order);",
            "pthread_once(&once, make);", "{ void *v = pthread_getspecific(key); told += v == 0; pthread_setspecific(key, &i0); }", 'printf("%d %s %c", i0, text, c0);',
            'sscanf("12 x", "%d %c", &i1, &text[1]);', "i0 = abs(c0);", "un.whole = __builtin_popcount(u0);", "__atomic_fetch_add(&i1, 1, 5);", "__sync_val_compare_and_swap(&u0, 7, 8);",
            "told += strchr(text, 'y') != 0;", "i0 = ({ int n = i1; n & 3; });", "mine++;", "u0 = sizeof(struct rec) + _Alignof(long);", "sprintf(text, \"%03d\", b0);"])

    def statement(self, depth=2):
        kind = self.random.random()
        if depth > 0 and kind < 0.25:
            return self.flow(depth)
        if kind < 0.6:
            return self.assignment()
        return self.memory() if kind < 0.82 else self.call()


# How turn number T is waited for and given on; what is declared and initialised for it.
WAYS = {
    "semaphores": ("static sem_t z[9];", "for (int i = 0; i < 9; i++) sem_init(&z[i], 0, i == 0);", "sem_wait(&z[{t}]);", "sem_post(&z[{t} + 1]);"),
    "tried semaphores": ("static sem_t z[9];", "for (int i = 0; i < 9; i++) sem_init(&z[i], 0, i == 0);", "while (sem_trywait(&z[{t}])) sched_yield();", "sem_post(&z[{t} + 1]);"),
    "timed semaphores": ("static sem_t z[9];", "for (int i = 0; i < 9; i++) sem_init(&z[i], 0, i == 0);",
                         "{{ struct timespec e; clock_gettime(CLOCK_REALTIME, &e); while (sem_timedwait(&z[{t}], &e)) sched_yield(); }}", "sem_post(&z[{t} + 1]);"),
    "conditions": ("static int turn; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "",
                   "pthread_mutex_lock(&m); while (turn != {t}) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                   "pthread_mutex_lock(&m); turn++; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);"),
    "timed conditions": ("static int turn; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "",
                         "{{ struct timespec e; clock_gettime(CLOCK_REALTIME, &e); pthread_mutex_lock(&m); while (turn != {t}) pthread_cond_timedwait(&c, &m, &e); pthread_mutex_unlock(&m); }}",
                         "pthread_mutex_lock(&m); turn++; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);"),
    "C11": ("static int turn; static mtx_t mc; static cnd_t cc;", "mtx_init(&mc, mtx_plain); cnd_init(&cc);",
            "mtx_lock(&mc); while (turn != {t}) cnd_wait(&cc, &mc); mtx_unlock(&mc);", "mtx_lock(&mc); turn++; cnd_broadcast(&cc); mtx_unlock(&mc);"),
    "polled mutex": ("static int turn; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "",
                     "for (int now = -1; now != {t};) {{ pthread_mutex_lock(&m); now = turn; pthread_mutex_unlock(&m); }}",
                     "pthread_mutex_lock(&m); turn++; pthread_mutex_unlock(&m);"),
    "recursive mutex": ("static int turn; static pthread_mutex_t m;",
                        "{{ pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &k); }}",
                        "for (int now = -1; now != {t};) {{ pthread_mutex_lock(&m); pthread_mutex_lock(&m); now = turn; pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); }}",
                        "pthread_mutex_lock(&m); turn++; pthread_mutex_unlock(&m);"),
    "polled lock": ("static int turn; static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;", "",
                    "for (int now = -1; now != {t};) {{ pthread_rwlock_rdlock(&l); now = turn; pthread_rwlock_unlock(&l); }}",
                    "pthread_rwlock_wrlock(&l); turn++; pthread_rwlock_unlock(&l);"),
    "atomic": ("static atomic_int turn;", "", "while (turn != {t}) sched_yield();", "turn++;"),
    "built-in": ("static int turn;", "", "while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != {t}) sched_yield();", "__atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);"),
    "pipe": ("static int ends[9][2];", "for (int i = 0; i < 4; i++) pipe(ends[i]); {{ char say = 1; write(ends[0][1], &say, 1); }}",
             "{{ char say; read(ends[{t}][0], &say, 1); }}", "if ({t} < 3) {{ char say = 1; write(ends[{t} + 1][1], &say, 1); }}"),
}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.way = self.random.choice([*WAYS, "barrier", "join", "nested"])
        self.threads = self.random.choice([1, 1, 2, 2, 3]) if self.way != "nested" else 1
        turns = self.threads + self.random.randint(0, 1)
        if self.way == "pipe":
            turns = min(turns, 3)
        self.turns = [self.random.randrange(self.threads + 1) for _ in range(turns)]
        self.breaks = self.way in WAYS and self.random.random() < 0.2
        self.skipped = self.random.randrange(turns) if self.breaks else None

    def phase(self, who):
        body = Phase(self.random)
        return "\n".join(f"    cohort_pause({who}); {body.statement()}" for _ in range(self.random.randint(2, 4)))

    def program(self):
        phases = [self.phase(who) for who in self.turns]
        return {"barrier": self.with_barrier, "join": self.with_joins, "nested": self.nested}.get(self.way, self.with_turns)(phases)

    def frame(self, declarations, threads, begin, body):
        return f"""{OBJECTS}{declarations}
{threads}int MAIN(void) {{
  mem = calloc(1, 7); pthread_key_create(&key, 0);
  {begin}
{body}{HASH}  RESULT((int)outcome);
  return 0;
}}
"""

    def with_turns(self, phases):
        declarations, begin, wait, give = WAYS[self.way]
        parts = {who: "" for who in range(self.threads + 1)}
        for turn, (who, phase) in enumerate(zip(self.turns, phases)):
            waited = "" if turn == self.skipped else "    " + wait.format(t=turn) + "\n"
            parts[who] += f"{waited}{phase}\n    {give.format(t=turn)}\n"
        return self.around(declarations, begin.format(), parts)

    def with_barrier(self, phases):
        parts = {who: "" for who in range(self.threads + 1)}
        for who, phase in zip(self.turns, phases):
            for other in parts:
                parts[other] += (phase + "\n" if other == who else "") + "    pthread_barrier_wait(&bar);\n"
        return self.around("static pthread_barrier_t bar;", f"pthread_barrier_init(&bar, 0, {self.threads + 1});", parts)

    def around(self, declarations, begin, parts):
        threads = "".join(f"static void *thread{who - 1}(void *arg) {{\n{parts[who]}  return arg;\n}}\n" for who in parts if who)
        creates = "".join(f"  pthread_create(&handles[{i}], 0, thread{i}, 0);\n" for i in range(self.threads))
        joins = "".join(f"  pthread_join(handles[{i}], 0);\n" for i in range(self.threads))
        return self.frame(declarations, threads, begin, f"  pthread_t handles[{self.threads}];\n{creates}{parts[0]}{joins}")

    def with_joins(self, phases):
        threads, body = "", "  pthread_t handles[3];\n"
        for i, phase in enumerate(phases[:3]):
            if i == 1:
                body += phase + "\n"
                continue
            threads += f"static void *thread{i}(void *arg) {{\n{phase}\n  return (void *)(long)(i0 & 7);\n}}\n"
            body += f"  pthread_create(&handles[{i}], 0, thread{i}, 0);\n  {{ void *r; pthread_join(handles[{i}], &r); told += (long)r; }}\n"
        return self.frame("", threads, "", body)

    def nested(self, phases):
        threads = f"static void *thread0(void *arg) {{\n{phases[0]}\n  *(int *)arg += 1;\n  return 0;\n}}\n"
        last = phases[1] if len(phases) > 1 else "    i0++;"
        threads += f"static void *thread1(void *arg) {{\n  pthread_t t;\n  pthread_create(&t, 0, thread0, arg);\n  pthread_join(t, 0);\n{last}\n  return 0;\n}}\n"
        body = "  pthread_t t;\n  int given = 1;\n  pthread_create(&t, 0, thread1, &given);\n  pthread_join(t, 0);\n  told += given;\n"
        return self.frame("", threads, "", body)


class Campaign(campaign.Campaign):
    counted = ["ordered", "broken", "races seen", "errors seen", "outcomes"]
    batch_size, variants, names, limits, Generator = 30, VARIANTS, NAMES, ["--time-limit", "6", "--memory-limit", "3000"], Generator
    other_runs = 1

    def holds(self, code, answer):
        # What ends in undefined behaviour decides nothing else.
        return super().holds(code, answer) and not (code == SAFE and "up to undefined" in answer.stdout and not self.ends)

    def one(self, seed, generator, program, threads, others, plain):
        raced = campaign.raced(threads)
        error = campaign.went_wrong(others)
        outcomes = campaign.outcomes_of(plain)
        self.ends = error
        self.counts["broken" if generator.breaks else "ordered"] += 1
        self.counts["errors seen"] += error
        if generator.breaks:
            self.counts["races seen"] += raced
            if raced:
                self.expect(UNSAFE, "a race", seed, program, None, "--property", "races")
            outcomes = outcomes[:2]
        else:
            if raced or len(outcomes) > 1:
                raise RuntimeError(f"seed {seed}: the phases do not take turns")
            # Only what is reported and not fatal has an outcome that a search could be asked for.
            self.expect(UNSAFE if error else SAFE, "an error" if error else "no error", seed, program, None, "--property", "faults,overflow")
            if not error:
                kind = ("races", "deadlock", "locks")[seed // len(VARIANTS) % 3]
                self.expect(SAFE, f"nothing of {kind}", seed, program, None, "--property", kind)
        for outcome in outcomes if not error else ():
            self.counts["outcomes"] += 1
            self.expect(UNSAFE, f"the outcome {outcome}", seed, program, outcome)
            if not generator.breaks:
                self.expect(SAFE, f"only the outcome {outcome}", seed, program, outcome, same=True)


if __name__ == "__main__":
    sys.exit(campaign.run(Campaign, programs=20, runs=2))
