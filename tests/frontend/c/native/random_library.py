#!/usr/bin/env python3
"""Random C programs with threads, pointers and library calls: what gcc's sanitizers see, Cohort must see.

Each program has one to three threads and main, which work on numbers, arrays, bit-fields, a union, texts, memory of odd sizes, a list, a
record with a tail, atomics and locks, and call functions of the C library and of the thread library on them.  It is run natively under
schedules drawn from a seed (native_batch.py): with gcc's thread sanitizer, with its address and undefined-behaviour sanitizers, and plainly.

  - a data race that the thread sanitizer reports must make `--property races` UNSAFE;
  - an error that the other sanitizers report must make `--property faults,overflow` UNSAFE;
  - every outcome of a plain run must be one that Cohort finds: the assertion that there is another outcome is UNSAFE;
  - a disciplined program, in which every object is accessed with its lock (one lock for all, or one for each group of objects, for reading
    a read lock where the group has one), must be SAFE for races, locks and faults.

Options of Cohort that change nothing but how it searches vary from program to program.

usage: random_library.py COHORT [--programs N] [--seed S] [--runs N] [--keep FOLDER]"""
import random
import sys

import campaign
from campaign import SAFE, UNSAFE

VARIANTS = [[], [], ["--no-por"], ["--no-simplify"], ["--no-late-naming"], ["--engine", "explicit"]]

NAMES = ("g0 g1 p arr s r u text q head k at tl now fn m n l z o cond ready out node record packet add_one sum once first second third "
         "MAIN").split()
OBJECTS = """
struct node { struct node *next; int v; };
static int g0, g1, *p, arr[3];
static struct record { int a; char b; short c; unsigned f : 3, h : 5; } s, r;
static union { int all; short halves[2]; char bytes[4]; } u;
static char text[8], *q;
static struct node *head;
static struct packet { int n; char rest[]; } *k;
static _Atomic int at;
static _Thread_local int tl;
static long now;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t z;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static FILE *out;
static int add_one(int n) { return n + 1; }
static int (*fn)(int) = add_one;
static void once(void) { r.a = 1; }
static int sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }
"""

# The groups of objects: numbers, records and text, each with its lock in disciplined programs.
LOCKS = {"n": ("pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)"), "r": ("pthread_mutex_lock(&n)", "pthread_mutex_unlock(&n)"),
         "t": ("pthread_rwlock_wrlock(&l)", "pthread_rwlock_unlock(&l)")}
READ_LOCK = "pthread_rwlock_rdlock(&l)"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.size = self.random.choice([3, 5, 7])
        self.discipline = self.random.choice(["none", "none", "none", "one lock", "locks of groups"])
        self.frees = self.discipline == "none" and self.random.random() < 0.25
        self.odd = self.discipline == "none" and self.random.random() < 0.2

    def number(self):
        return self.random.choice([0, 1, 2, 3, 5])

    def index(self, count):
        return self.random.randrange(count + (2 if self.odd and self.random.random() < 0.2 else 0))

    def place(self):
        """An object of a group."""
        choose, pick = self.random.choice, self.random.randrange
        return choose([("g0", "n"), ("g1", "n"), ("(*p)", "n"), (f"arr[{self.index(3)}]", "n"), ("arr[g1 & 1]", "n"), ("s.a", "r"), ("s.b", "r"),
                       ("s.c", "r"), ("s.f", "r"), ("s.h", "r"), ("r.a", "r"), ("u.all", "r"), (f"u.halves[{pick(2)}]", "r"),
                       (f"u.bytes[{pick(4)}]", "r"), (f"text[{pick(3)}]", "t"), (f"q[{self.index(self.size)}]", "t"), ("head->v", "t"),
                       ("head->next->v", "t"), ("k->n", "t"), (f"k->rest[{self.index(3)}]", "t"), ("tl", "")])

    def plain(self):
        """A statement, the groups that it reads and those that it writes."""
        k, (place, group), (other, others) = self.number(), self.place(), self.place()
        return self.random.choice([
            (f"{place} = {k}", "", group), (f"{place} = {other}", others, group), (f"{place} = {place} + {k}", "", group),
            (f"{place}++", "", group), (f"v += {place}", group, ""), (f"if ({place} == {k}) {place} = {k + 1}", "", group),
            (f"{place}", group, ""), (f"v = {place} > {k} || {other}", group + others, ""), (f"for (int i = 0; i < 2; i++) {place} += i", "", group),
            (f"switch ({other}) {{ case 0: {place} = 1; break; case {k + 1}: v++; default: v++; }}", others, group),
            (f"{{ __typeof__(s) w = s; {place} = w.a; }}", "r", group), ("r = s", "", "r"), (f"{{ struct node *w = head->next; w->v += {k}; }}", "", "t"),
            (f"*(char *)&{choose_int(self.random)} = {k}", "", "n"), (f"at += {k}", "", ""), ("v = at++", "", ""),
            (f"v = fn({other})", others, "")])

    def library(self):
        k, choose = self.number(), self.random.choice
        return choose([
            (f"memset(q, {k}, {choose([1, 2, self.size])})", "", "t"), ('memcpy(text, "abc", 3)', "", "t"), (f"memcpy(q, text, {choose([1, 3])})", "", "t"),
            ('strcpy(text, "xy")', "", "t"), ("v += strlen(text)", "t", ""), ('v += strcmp(text, "xy") == 0', "t", ""),
            (f'snprintf(text, 4, "{k}")', "", "t"), ('snprintf(text, 5, "%d", g0 & 15)', "n", "t"), ('fprintf(out, "%d", g0)', "n", ""),
            ('fprintf(out, "%d %s", s.a, text)', "rt", ""), ("sem_getvalue(&z, &g1)", "", "n"), ("time(&now)", "", "t"),
            ("memmove(&u, &s.a, 2)", "", "r"), ("v += memcmp(&g0, &g1, 4) == 0", "n", ""), ("s.f = g0 & 7", "n", "r"), ("u.all = (int)now & 0", "t", "r"),
            (f"memmove(arr + 1, arr, {choose([4, 8])})", "", "n"), ("memset(&s, 0, sizeof s)", "", "r"), (f"v += sum(2, g0, {k})", "n", ""),
            ("v += atoi(text)", "t", ""), ('strncpy(text, "qrs", 2)', "", "t"), ("v += strchr(text, 'y') != 0", "t", ""),
            (f'sscanf("{k}", "%d", &g1)', "", "n"), ("v += toupper(text[0]) == 'X'", "t", ""), ("v += abs(g0 & 7)", "n", ""),
            ("{ char *w = strdup(text); v += w[0]; free(w); }", "t", ""), (f"{{ int *w = calloc(2, 4); w[1] = {k}; v += w[0]; free(w); }}", "", ""),
            ("memcpy(k->rest, text, 2)", "", "t"), ("memcpy(&arr[1], &g0, 4)", "", "n"), ("v += strncmp(text, q, 1)", "t", ""),
            ('v = strtol("12", 0, 8)', "", ""), ("pthread_once(&o, once)", "", "r"), ("fputs(text, out)", "t", ""), ("fflush(out)", "", ""),
            ("sched_yield()", "", "")])

    def guarded(self, statement):
        text, reads, writes = statement
        if self.discipline == "one lock":
            return f"pthread_mutex_lock(&m); {text}; pthread_mutex_unlock(&m)"
        if self.discipline == "locks of groups":
            groups = [group for group in LOCKS if group in reads + writes]
            begin = [READ_LOCK if group == "t" and "t" not in writes else LOCKS[group][0] for group in groups]
            return "; ".join([*begin, text, *(LOCKS[group][1] for group in reversed(groups))])
        k = self.number()
        return self.random.choice([text, text, f"pthread_mutex_lock(&m); {text}; pthread_mutex_unlock(&m)",
                                   f"pthread_mutex_lock(&n); {text}; pthread_mutex_unlock(&n)",
                                   f"if (pthread_mutex_trylock(&m) == 0) {{ {text}; pthread_mutex_unlock(&m); }}",
                                   f"pthread_rwlock_rdlock(&l); {text}; pthread_rwlock_unlock(&l)",
                                   f"pthread_rwlock_wrlock(&l); {text}; pthread_rwlock_unlock(&l)",
                                   f"sem_wait(&z); {text}; sem_post(&z)", f"if (sem_trywait(&z) == 0) {{ {text}; sem_post(&z); }}",
                                   f"__atomic_fetch_add(&g0, {k}, 5)", f"__atomic_store_n(&s.a, {k}, 5)", "v += __atomic_load_n(&g1, 5)",
                                   f"if (at == {k}) {{ {text}; }}"])

    def statement(self):
        if self.frees and self.random.random() < 0.15:
            return self.random.choice(["free(p)", "free(q)", "free(k)"])
        return self.guarded(self.plain() if self.random.random() < 0.6 else self.library())

    def block(self, who, most):
        return "\n".join(f"  cohort_pause({who}); {self.statement()};" for _ in range(self.random.randint(1, most)))

    def thread(self, name, who):
        return f"static void *{name}(void *a) {{ int v = 0;\n{self.block(who, 3)}\n  return (void *)(long)(v & 1); }}\n"

    def program(self):
        names = ["first", "second", "third"][:self.random.choice([1, 2, 2, 2, 3])]
        threads = "".join(self.thread(name, who) for who, name in enumerate(names, 1))
        handles = [f"t{who}" for who in range(len(names))]
        creates = " ".join(f"pthread_create(&{handle}, 0, {name}, 0);" for handle, name in zip(handles, names))
        joins = " ".join(f"pthread_join({handle}, &result);" for handle in handles)
        end = "" if self.frees else "free(p); free(q); free(k); free(head->next); free(head);"
        return f"""{OBJECTS}{threads}int MAIN(void) {{
  pthread_t {", ".join(handles)}; int v = 0; void *result = 0;
  p = malloc(4); *p = 1; q = malloc({self.size}); memset(q, 0, {self.size}); sem_init(&z, 0, 1); out = OUT;
  head = calloc(1, sizeof *head); head->next = calloc(1, sizeof *head); k = calloc(1, sizeof *k + 3);
  {creates}
{self.block(0, 2)}
  {joins}
  int outcome = g0 * 31 + s.a * 7 + s.b + s.c * 3 + s.f * 5 + s.h + (unsigned char)u.bytes[1] + text[0] % 5 + arr[1] * 11 + at * 13 + (result != 0);
  {"" if self.frees else "outcome += q[0] + head->next->v * 17 + k->n;"}
  RESULT(outcome);
  {end}
  return 0;
}}
"""


def choose_int(generator):
    return generator.choice(["g0", "g1", "arr[0]"])


class Campaign(campaign.Campaign):
    counted = ["races seen", "errors seen", "outcomes", "disciplined"]
    batch_size, variants, names, limits, Generator = 50, VARIANTS, NAMES, ["--time-limit", "10"], Generator

    def one(self, seed, generator, program, threads, others, plain):
        if campaign.raced(threads):
            self.counts["races seen"] += 1
            self.expect(UNSAFE, "a race", seed, program, None, "--property", "races")
        if generator.discipline != "none":
            self.counts["disciplined"] += 1
            for kind in ("races", "locks", "faults"):
                self.expect(SAFE, f"none of {kind}", seed, program, None, "--property", kind)
        if campaign.went_wrong(others):
            self.counts["errors seen"] += 1
            self.expect(UNSAFE, "an error", seed, program, None, "--property", "faults,overflow")
        if generator.frees or generator.odd:
            return
        for outcome in campaign.outcomes_of(plain)[:2]:
            self.counts["outcomes"] += 1
            self.expect(UNSAFE, f"the outcome {outcome}", seed, program, outcome)


if __name__ == "__main__":
    sys.exit(campaign.run(Campaign, programs=25, runs=3))
