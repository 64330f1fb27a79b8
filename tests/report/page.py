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
SAFE = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); return 0; }\n"


class Cells(html.parser.HTMLParser):
    """The texts of the cells of each table, and of elements with an id."""

    def __init__(self):
        super().__init__()
        self.tables, self.table, self.row, self.current, self.ids, self.open, self.scripts = {}, None, None, [], {}, [], 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "script":
            self.scripts += 1
        if tag == "table":
            self.table = self.tables.setdefault(attributes.get("id", ""), [])
        if tag == "tr" and self.table is not None:
            self.row = []
            self.table.append(self.row)
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
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=5000",
               f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{page}#{step}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    cells = Cells()
    cells.feed(done.stdout)
    return cells, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


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
        expect(cells.ids.get("headline", "").startswith("UNSAFE with 2 threads"), f"the verdict is there: {cells.ids.get('headline')}")
        expect(len(cells.tables["lanes"]) == len(lines) + 2, f"a row a line: {cells.tables['lanes']}")
        expect("onerror" in cells.ids.get("sources", ""), "the source is shown")
        values = dict(cells.tables["values"])
        expect(values.get("x") == "0", f"x is 0 at the start: {values}")
        cells, complaints = opened(folder / "a.html", len(lines), folder)
        expect(complaints == [], f"no complaints at the end: {complaints}")
        values = dict(cells.tables["values"])
        expect(values.get("x") == "2", f"x is 2 in the end: {values}")
        expect(cells.current[:1] == [str(len(lines))], f"the last row is the current one: {cells.current}")
        expect("violates the property" in "".join(cells.current), f"it violates: {cells.current}")
        subprocess.run([cohort, "verify", folder / "safe.c", "--report", folder / "safe.html"], capture_output=True, check=True)
        cells, complaints = opened(folder / "safe.html", 0, folder)
        expect(complaints == [] and cells.ids.get("headline", "").startswith("SAFE"), f"a page for SAFE: {cells.ids}, {complaints}")
    for failure in failures:
        print(f"FAILED: {failure}")
    print("pages as expected" if not failures else f"{len(failures)} expectations not met")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
