#!/usr/bin/env python3
"""Opens pages that `cohort verify --report` writes in a headless browser and looks at what they show.

Usage: page.py COHORT"""
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile

# Names, texts and comments that would be markup if they were not escaped.
HOSTILE = """#include <assert.h>
#include <pthread.h>
/* </script><script>console.error("escaped")</script> <b>&amp; */
int x;
const char *text = "</script><img src=none onerror='console.error(1)'>";
void *worker(void *arg) { x = x < 3; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x = 2;
  pthread_join(t, 0);
  assert(x < 2 && text[0] == '<');
  return 0;
}
"""
SAFE = """#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int turns;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  turns++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(turns == 2);
  return 0;
}
"""
DEADLOCK = """#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return 0;
}
"""


class Cells(html.parser.HTMLParser):
    """The texts of the cells of each table, and of elements with an id."""

    def __init__(self):
        super().__init__()
        self.tables, self.table, self.row, self.current, self.ids, self.open, self.scripts = {}, None, None, [], {}, [], 0
        self.rows, self.classes, self.disabled = {}, [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "script":
            self.scripts += 1
        if tag == "g":
            self.classes.append(attributes.get("class", ""))
        if tag == "button" and "disabled" in attributes:
            self.disabled.add(attributes.get("id"))
        if tag == "table":
            self.table = self.tables.setdefault(attributes.get("id", ""), [])
        if tag == "tr" and self.table is not None:
            self.row = []
            self.table.append(self.row)
            if "data-name" in attributes:
                self.rows[attributes["data-name"]] = self.row
            if attributes.get("aria-current") == "step":
                self.current = self.row
        if tag in ("td", "th") and self.row is not None:
            self.row.append("")
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(attributes.get("id"))

    def handle_endtag(self, tag):
        if self.open:
            self.open.pop()
        if tag == "table":
            self.table = self.row = None

    def handle_data(self, data):
        if self.row:
            self.row[-1] += data
        for name in self.open:
            if name:
                self.ids[name] = self.ids.get(name, "") + data


def opened(page, step, folder):
    """What the page shows at the step, after its script has run, and what the browser complained of."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
               "--disable-sync", "--no-first-run", "--enable-logging=stderr", "--virtual-time-budget=5000",
               f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{page}#{step}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    cells = Cells()
    cells.feed(done.stdout)
    return cells, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def pressed(page, keys, folder):
    """The same, after keys were pressed: a copy of the page sends them to itself."""
    script = "".join(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true, cancelable: true}}));" for key in keys)
    copy = folder / "pressed.html"
    copy.write_text(page.read_text().replace("</body>", f"<script>{script}</script></body>"))
    return opened(copy, 0, folder)


def main():
    cohort = sys.argv[1]
    failures = []

    def expect(holds, what):
        if not holds:
            failures.append(what)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.c").write_text(HOSTILE)
        (folder / "safe.c").write_text(SAFE)
        done = subprocess.run([cohort, "verify", folder / "a.c", "--report", folder / "a.html"], capture_output=True, text=True)
        expect(done.returncode == 10, f"the program is unsafe: {done.stdout}{done.stderr}")
        lines = [line for line in done.stdout.splitlines() if re.match(r" +\d+  T", line)]
        cells, complaints = opened(folder / "a.html", 0, folder)
        expect(complaints == [], f"no complaints: {complaints}")
        expect(cells.scripts == 2, f"the page has its two scripts, not {cells.scripts}")
        expect(cells.disabled == {"first", "previous"}, f"at the start one can only go on: {cells.disabled}")
        expect(cells.ids.get("headline", "").startswith("UNSAFE with 2 threads"), f"the verdict is there: {cells.ids.get('headline')}")
        expect(len(cells.tables["lanes"]) == len(lines) + 2, f"a row a line: {cells.tables['lanes']}")
        expect("onerror" in cells.ids.get("sources", ""), "the source is shown")
        expect(cells.rows["x"][:2] == ["x", "0"], f"x is 0 at the start: {cells.rows}")
        expect(cells.classes.count("walker") == 1, f"one thread is in the graph at the start: {cells.classes}")
        keyed, complaints = pressed(folder / "a.html", ["End", "ArrowLeft", "ArrowRight", "Home", "ArrowDown", "ArrowDown"], folder)
        expect(complaints == [] and keyed.current[:1] == ["2"], f"keys move through the steps: {keyed.current}, {complaints}")
        cells, complaints = opened(folder / "a.html", len(lines), folder)
        expect(complaints == [], f"no complaints at the end: {complaints}")
        expect(cells.rows["x"][:2] == ["x", "2"], f"x is 2 in the end: {cells.rows}")
        expect(cells.disabled == {"last", "next"}, f"at the end one can only go back: {cells.disabled}")
        expect(any("node" in name and "error" in name for name in cells.classes), f"the violation is in the graph: {cells.classes}")
        expect(cells.current[:1] == [str(len(lines))], f"the last row is the current one: {cells.current}")
        expect("fails" in "".join(cells.current), f"it violates: {cells.current}")
        subprocess.run([cohort, "verify", folder / "safe.c", "--report", folder / "safe.html"], capture_output=True, check=True)
        cells, complaints = opened(folder / "safe.html", 0, folder)
        expect(complaints == [] and cells.ids.get("headline", "").startswith("SAFE"), f"a page for SAFE: {cells.ids}, {complaints}")
        facts = [row for row in cells.tables["facts"] if row[0] == "safe.c:17"]
        expect(facts and "turns = 2" in facts[0][3], f"what holds before the assertion: {cells.tables['facts']}")
        expect(any("proved" in name for name in cells.classes), f"places of the graph have facts: {cells.classes}")
        (folder / "lock.c").write_text(DEADLOCK)
        subprocess.run([cohort, "verify", folder / "lock.c", "--property", "deadlock", "--report", folder / "lock.html"], capture_output=True)
        cells, complaints = opened(folder / "lock.html", 3, folder)
        waiting = cells.tables["waiting"]
        expect(complaints == [] and len(waiting) == 3 and waiting[0] == ["thread", "waits for", "at", "holds"] and waiting[1][0] == "T0" and waiting[1][3].startswith("a since"),
               f"who waits for whom: {waiting}, {complaints}")
        example = pathlib.Path(__file__).resolve().parents[2] / "examples" / "scpl" / "choice_and_value.scpl"
        done = subprocess.run([cohort, "verify", example, "--engine", "cegar", "--report", folder / "count.html"], capture_output=True, text=True)
        cells, complaints = opened(folder / "count.html", 0, folder)
        rounds = cells.tables["rounds"]
        expect(complaints == [] and len(rounds) > 2 and rounds[1][0] == "1" and rounds[-1][3].endswith("proved"), f"the rounds of refinement: {rounds}, {complaints}, {done.stdout}{done.stderr}")
    for failure in failures:
        print(f"FAILED: {failure}")
    print("pages as expected" if not failures else f"{len(failures)} expectations not met")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
