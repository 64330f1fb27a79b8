#!/usr/bin/env python3
"""The page that the program carries was built from the sources of the page as they are: where somebody changes those and does
not build, the hash in the page is another one.  Also runs the unit tests of the sources, where there is a node.

Usage: asset.py PROJECT"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

project = pathlib.Path(sys.argv[1])
sources = project / "report" / "html"
names = sorted(["page.html", "style.css", "package-lock.json", *(f"src/{path.name}" for path in (sources / "src").iterdir())])
digest = hashlib.sha256()
for name in names:
    digest.update(f"{name}\n".encode() + (sources / name).read_bytes())
page = (project / "src" / "report" / "html" / "report.html").read_text()
found = re.search(r"sources ([0-9a-f]{64})", page)
if found is None or found[1] != digest.hexdigest():
    print("src/report/html/report.html is not built from report/html: run `npm ci && npm run build` there")
    sys.exit(1)
if "@DATA@" not in page:
    print("the page has no place for its data")
    sys.exit(1)
if shutil.which("node") is None:
    print("note: there is no node; the unit tests of the page were not run")
    sys.exit(0)
sys.exit(subprocess.run(["node", "--test", "tests/"], cwd=sources, check=False).returncode)
